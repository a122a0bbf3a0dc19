import FileOutput
import Foundation
import Testing

/// Files that are written in parts keep what has arrived, and take their place only when they are complete.
@Suite struct PartialFileTests {
    let folder: TestFolder

    init() { folder = TestFolder() }

    @Test func growsInPartsAndTakesItsPlace() throws {
        try PartialFile(creating: folder.path(".part")).write(Array("one ".utf8))
        let again = try PartialFile(folder.path(".part"))
        #expect(again.length == 4)
        try again.write(Array("two and more".utf8))
        try again.cut(to: 7)
        #expect(folder.text("a") == nil)
        try again.finish(as: folder.path("a"), replaces: false)
        #expect(folder.text("a") == "one two")
        #expect(folder.names == ["a"])
    }

    @Test func replacesOnlyWhatItMay() throws {
        try folder.write("a", "old")
        let file = try PartialFile(creating: folder.path(".part"))
        try file.write(Array("new".utf8))
        #expect(throws: OutputError.self) { try file.finish(as: folder.path("a"), replaces: false) }
        #expect(folder.text("a") == "old" && folder.text(".part") == "new")
        try file.finish(as: folder.path("a"), replaces: true)
        #expect(folder.text("a") == "new")
        #expect(folder.names == ["a"])
    }

    @Test func isNoOtherFile() throws {
        try folder.write("a", "old")
        #expect(throws: OutputError.self) { try PartialFile(creating: folder.path("a")) }
        #expect(throws: OutputError.self) { try PartialFile(folder.path("none")) }
        try FileManager.default.createSymbolicLink(atPath: folder.path("link"), withDestinationPath: folder.path("a"))
        #expect(throws: OutputError.self) { try PartialFile(folder.path("link")) }
        #expect(mkfifo(folder.path("fifo"), 0o600) == 0)
        #expect(throws: OutputError.self) { try PartialFile(folder.path("fifo")) }
        PartialFile.remove(folder.path("none"))
        #expect(folder.text("a") == "old")
    }
}
