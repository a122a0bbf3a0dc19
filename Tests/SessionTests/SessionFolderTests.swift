import Foundation
import Parameters
import Rack
import Session
import TestSupport
import Testing

@Suite struct SessionFolderTests {
    private let temporary = TemporaryFolder()
    var folder: URL { temporary.url }
    let tree = ParameterTree(listeners: 1, methods: ["nearest", "linear"])

    /// The error states what happened, to what, why, and what to do.
    @Test func aSessionThatCannotGoToTheTrashIsExplained() throws {
        let session = folder.path + "/evening.json"
        try Data("{}".utf8).write(to: URL(filePath: session))
        try Data().write(to: URL(filePath: folder.path + "/.trash"))
        #expect {
            try SessionTrash(SessionFolder(folder: folder.path)).take(session)
        } throws: {
            "\($0)".hasPrefix(
                "session \(session): the session was left as it is; it cannot be moved to the trash: \(folder.path)/.trash is not a folder")
        }
        #expect {
            try SessionTrash(SessionFolder(folder: "/sys/kernel")).keep("/sys/kernel/uevent_seqnum")
        } throws: {
            "\($0)".contains("the trash /sys/kernel/.trash cannot be made: the folder /sys/kernel is ")
        }
    }

    @Test(arguments: ["evening", "Abend 2", "früh", "a.b", "..a", "x.json"]) func names(_ name: String) throws {
        let shelf = SessionFolder(folder: folder.path)
        guard !name.hasPrefix(".") else {
            #expect(throws: SessionError.self) { try shelf.path(name) }
            return
        }
        let path = try shelf.path(name)
        #expect(URL(filePath: path).deletingLastPathComponent().path == folder.path)
        #expect(path.hasSuffix(".json") && !path.hasSuffix(".json.json"))
    }

    @Test(arguments: [
        "", ".json", "/etc/passwd", "../x", "a/../../x", "a/b", "..", ".", ".hidden", "a\\b", "a\0b", "a\nb", " a", "a ", "\u{7f}",
        "\u{9f}x",
        String(repeating: "a", count: 101), String(repeating: "ä", count: 51), "/", "~/x/y", "..\\x",
    ]) func invalidNamesAreRefused(_ name: String) {
        let shelf = SessionFolder(folder: folder.path)
        #expect(throws: SessionError.self) { try shelf.path(name) }
    }

    @Test func theCommandLineNamesSessionsByPathOrName() throws {
        let shelf = SessionFolder(folder: folder.path)
        let path = try shelf.path("evening")
        try SessionFile(recording: nil, snapshot: Snapshot()).write(path)
        #expect(try shelf.path(orName: "evening") == path)
        #expect(try shelf.path(orName: "evening.json") == path)
        #expect(try shelf.path(orName: path) == path)
        for use in [{ _ = try shelf.path(orName: "nope") }, { try SessionTrash(shelf).take(shelf.path("nope")) }] {
            let error = #expect(throws: SessionError.self) { try use() }
            #expect(error?.description.contains("session nope: there is no session of this name in \(folder.path)") == true)
        }
    }

    /// Names of files from macOS are decomposed; people type the composed form.
    @Test func aSessionIsFoundByANameThatLooksTheSame() throws {
        let shelf = SessionFolder(folder: folder.path)
        let (composed, decomposed) = ("soir\u{E9}e", "soire\u{301}e")
        let path = folder.path + "/" + decomposed + ".json"
        try Data("{}".utf8).write(to: URL(filePath: path))
        #expect(try Array(shelf.path(composed).utf8) == Array(path.utf8))
        #expect(try Array(shelf.path(orName: composed).utf8) == Array(path.utf8))
        #expect(shelf.names.map { Array($0.utf8) } == [Array(composed.utf8)])
        try SessionTrash(shelf).take(shelf.path(composed))
        #expect(shelf.names.isEmpty)
        let deleted = try #require(SessionTrash(shelf).names.first)
        #expect(try SessionTrash(shelf).restore(deleted) == composed)
        #expect(shelf.names == [composed])
        try shelf.move(shelf.path(composed), to: shelf.path("e\u{301}te\u{301}"), replaces: false)
        #expect(shelf.names.map { Array($0.utf8) } == [Array("\u{E9}t\u{E9}".utf8)])
    }

    @Test func theMostRecentlyUsedComesFirst() throws {
        let shelf = SessionFolder(folder: folder.path)
        for name in ["b", "a", "c"] { try SessionFile(recording: nil, snapshot: Snapshot()).write(try shelf.path(name)) }
        #expect(shelf.names == ["a", "b", "c"])
        shelf.use(try shelf.path("c"))
        shelf.use(try shelf.path("b"))
        #expect(shelf.names == ["b", "c", "a"])
        shelf.use("/elsewhere/a.json")
        #expect(shelf.names == ["b", "c", "a"], "files elsewhere are not listed")
        try FileManager.default.removeItem(atPath: shelf.path("b"))
        #expect(shelf.names == ["c", "a"])
        #expect(SessionFolder(folder: "/nowhere/at/all").names == [])
    }

    // MARK: Autosave

    @Test func theAutosaveOfARunningProgramIsNotRecovered() throws {
        let session = folder.appending(path: "evening.json").path
        var own = Autosave.make(session)
        #expect(Autosave.left(session) == nil)
        let kept = SessionFile(recording: nil, snapshot: Snapshot(parameters: ["/listener/1/gain": [.float(-3)]]))
        try own?.write(kept)
        #expect(Autosave.left(session) == nil, "its writer is still running")
        let other = try #require(Autosave.make(session))
        #expect(own != nil && other.path != own?.path)
        // The kernel releases the lock of a program that dies, as here.
        own = nil
        let left = try #require(Autosave.left(session))
        #expect(try left.read(tree) == kept)
        #expect(Autosave.left(session) == nil, "it is recovered once")
        left.end()
        other.end()
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [])
    }

    @Test func anAutosaveOfACrashIsNotOverwritten() throws {
        let session = folder.appending(path: "evening.json").path
        var own = Autosave.make(session)
        try own?.write(SessionFile(recording: nil, snapshot: Snapshot()))
        own = nil
        let next = try #require(Autosave.make(session))
        try next.write(SessionFile(recording: "/x.wav", snapshot: Snapshot()))
        #expect(try Autosave.left(session)?.read(tree).recording == nil)
        #expect(Autosave.make("/nowhere/at/all.json") == nil)
    }
}
