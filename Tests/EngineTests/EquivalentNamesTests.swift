import FileOutput
import Foundation
import Hub
import Parameters
import TestSupport
import Testing

@testable import Engine

/// Names of files from macOS are decomposed; people and their browsers send the composed form.
@Suite struct EquivalentNamesTests {
    private let folder = TestFolder()
    private let composed = "Pr\u{E9}lude.wav"
    private let decomposed = "Pre\u{301}lude.wav"

    private func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

    @Test func clientsReachEveryKindOfFile() throws {
        let clients = ClientFiles(data: folder.path("data"))
        for kind in ClientFiles.Kind.allCases {
            let place = clients.folder(kind)
            try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
            try OutputFile.write("x", to: place + "/plain")
            #expect(rename(place + "/plain", place + "/" + decomposed) == 0)
            #expect(try bytes(clients.path(composed, kind)) == bytes(place + "/" + decomposed))
            #expect(try bytes(clients.path(place + "/" + composed, kind)) == bytes(place + "/" + decomposed))
            // A new file gets the composed name.
            #expect(try bytes(clients.pathToWrite("e\u{301}", kind, ending: ".json")) == bytes(place + "/\u{E9}.json"))
        }
    }

    @Test func aLinkOfAnEquivalentNameLeadsNoFurther() throws {
        let clients = ClientFiles(data: folder.path("data"))
        let place = clients.folder(.sounds)
        try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(atPath: place + "/" + decomposed, withDestinationPath: "/etc/hostname")
        #expect(throws: RequestError.self) { try clients.path(composed, .sounds) }
    }

    @Test func recordingsAndSoundsOfObjectsArePlayed() throws {
        _ = try folder.recording("plain.wav")
        _ = try folder.sound("plain.wav")
        let harness = try EngineHarness(folder, objects: 1)
        let recordings = folder.path("data/recordings")
        try FileManager.default.createDirectory(atPath: recordings, withIntermediateDirectories: true)
        #expect(rename(folder.path("plain.wav"), recordings + "/" + decomposed) == 0)
        #expect(rename(folder.path("sounds/plain.wav"), folder.path("sounds/" + decomposed)) == 0)
        try harness.start()
        harness.send("/session/recording", .string(composed))
        #expect(bytes(harness.text("/session/recording")) == bytes(recordings + "/" + composed))
        #expect(harness.send("/object/1/source", .string(composed)) == .done)
        harness.until("the sound has been read") { harness.text("/object/1/state").hasPrefix("ready") }
        // The session is saved and loaded by either name, with its files.
        harness.send("/session/save-as", .string("soire\u{301}e"))
        harness.send("/object/1/source", .string(""))
        harness.send("/session/load", .string("soir\u{E9}e"))
        #expect(harness.text("/object/1/source") == composed)
        #expect(harness.text("/session/recent") == "soir\u{E9}e")
    }

    @Test func theLibraryListsAndFindsComposedNames() throws {
        let clients = ClientFiles(data: folder.path("data"))
        let place = clients.folder(.recordings)
        try FileManager.default.createDirectory(atPath: place + "/.about", withIntermediateDirectories: true)
        _ = try folder.recording("plain.wav")
        #expect(rename(folder.path("plain.wav"), place + "/" + decomposed) == 0)
        try Data(#"{"title": "e\#u{301}te\#u{301}"}"#.utf8).write(to: URL(filePath: place + "/.about/" + composed + ".json"))
        let folders = LibraryFolder.own(clients)
        let scan = LibraryScan(folders, known: AboutScan(), leftovers: LibraryLeftovers(folders: []))
        #expect(scan.files.map { bytes($0.name) } == [bytes(composed)])
        #expect(scan.files.first?.about?.title == "\u{E9}t\u{E9}")
        let index = LibraryIndex(LibraryDocument(scan, [:], folders: folders, limit: nil))
        for search in ["pr\u{E9}lude", "pre\u{301}lude", "\u{E9}t\u{E9}"] {
            let page = index.page(search: search, kind: "", tag: "", order: "name", from: 0, count: 10)
            #expect(String(decoding: page, as: UTF8.self).contains(#""found":1"#), "\(search)")
        }
    }
}
