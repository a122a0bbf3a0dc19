import FileOutput
import Foundation
import TestSupport
import Testing

/// The trash, and names that are given only where they are free.
@Suite struct TrashTests {
    private func folder(_ body: (URL) throws -> Void) throws {
        let folder = TemporaryFolder()
        try body(folder.url)
    }

    private func write(_ text: String, _ url: URL) throws { try OutputFile.write(text, to: url.path) }

    @Test func emptyingRemovesAllOfItAndNothingElse() throws {
        try folder { folder in
            let trash = Trash(of: folder.path)
            #expect(trash.size == 0)
            try trash.empty()
            try write("outside", folder.appending(path: "kept"))
            let take = folder.appending(path: "take")
            try FileManager.default.createDirectory(at: take, withIntermediateDirectories: true)
            try write("1234", take.appending(path: "ears.wav"))
            // A link in the trash is removed, what it leads to is not.
            try FileManager.default.createSymbolicLink(at: take.appending(path: "link"), withDestinationURL: folder)
            try trash.take("take")
            try write("12", folder.appending(path: "a"))
            try trash.take("a")
            #expect(trash.size >= 6)
            try trash.empty()
            #expect(trash.size == 0 && FileManager.default.fileExists(atPath: folder.appending(path: "kept").path))
        }
    }

    /// The reason is that of the folder that refuses, and not that there is no trash.
    @Test func aTrashThatCannotBeMadeIsNamed() {
        #expect {
            try Trash(of: "/sys").take("kernel")
        } throws: {
            "\($0)".hasPrefix("/sys/.trash was not written: the folder /sys is ")
        }
    }

    @Test func aFileInThePlaceOfTheTrashIsNamed() throws {
        try folder { folder in
            try write("a", folder.appending(path: ".trash"))
            try write("b", folder.appending(path: "b"))
            #expect {
                try Trash(of: folder.path).take("b")
            } throws: {
                ($0 as? OutputError)?.reason.hasPrefix("\(folder.path)/.trash is not a folder") == true
            }
        }
    }

    @Test func foldersAreNotMovedOntoOthers() throws {
        try folder { folder in
            let (one, other) = (folder.appending(path: "one"), folder.appending(path: "other"))
            for place in [one, other] { try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true) }
            #expect(throws: OutputError.self) { try FilePlace.move(one.path, to: other.path) }
            try FilePlace.move(one.path, to: folder.appending(path: "third").path)
            #expect(!FilePlace.isTaken(one.path) && FilePlace.isFolder(folder.appending(path: "third").path))
        }
    }
}
