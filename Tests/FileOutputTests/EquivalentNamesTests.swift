import FileOutput
import Foundation
import Testing

/// Names that look the same: é as one character, and as e with an accent as macOS writes it.
@Suite struct EquivalentNamesTests {
    private let folder = TestFolder()
    private let composed = "Pr\u{E9}lude.wav"
    private let decomposed = "Pre\u{301}lude.wav"

    private func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

    @Test func theEntryOfAFolderIsFound() throws {
        let path = try folder.write(decomposed, "x")
        #expect(bytes(FilePlace.equivalent(folder.path(composed))) == bytes(path))
        #expect(FilePlace.isTaken(folder.path(composed)) && FilePlace.real(folder.path(composed)) != nil)
        #expect(FilePlace.size(folder.path(composed)) == 1)
        // A file of these very bytes comes first.
        let other = try folder.write(composed, "yy")
        #expect(bytes(FilePlace.equivalent(other)) == bytes(other) && FilePlace.size(other) == 2)
    }

    @Test func foldersOfAPathAreFoundAsWell() throws {
        let inside = "e\u{301}te\u{301}/o\u{308}"
        try FileManager.default.createDirectory(atPath: folder.path(inside), withIntermediateDirectories: true)
        try folder.write(inside + "/a.wav", "x")
        let path = folder.path("\u{E9}t\u{E9}/\u{F6}")
        #expect(FilePlace.names(in: path) == ["a.wav"] && FilePlace.isFolder(path))
        #expect(bytes(FilePlace.equivalent(path + "/a.wav")) == bytes(folder.path(inside + "/a.wav")))
        // What is not there gets the composed name in the folder that is.
        #expect(bytes(FilePlace.equivalent(path + "/" + decomposed)) == bytes(folder.path(inside) + "/" + composed))
        #expect(FilePlace.equivalent(path + "/").hasSuffix("/"))
    }

    @Test func newFilesGetComposedNames() throws {
        try OutputFile.write("x", to: folder.path(decomposed))
        #expect(folder.names.map(bytes) == [bytes(composed)])
        try FilePlace.move(folder.path(composed), to: folder.path("e\u{301}"))
        #expect(folder.names.map(bytes) == [bytes("\u{E9}")])
    }

    @Test func aFileThatLooksTheSameIsRefusedOrReplaced() throws {
        try folder.write(decomposed, "x")
        #expect { try OutputFile.write("y", to: folder.path(composed)) } throws: { ($0 as? OutputError)?.kind == .exists }
        #expect { try OutputFile.check(folder.path(composed)) } throws: { ($0 as? OutputError)?.kind == .exists }
        let part = try PartialFile(creating: folder.path("part"))
        #expect { try part.finish(as: folder.path(composed), replaces: false) } throws: { ($0 as? OutputError)?.kind == .exists }
        try part.finish(as: folder.path(composed), replaces: true)
        #expect(folder.names.map(bytes) == [bytes(decomposed)] && folder.text(decomposed) == "")
        try OutputFile.write("y", to: folder.path(composed), existing: .replaced)
        #expect(folder.names.map(bytes) == [bytes(decomposed)] && folder.text(decomposed) == "y")
    }

    @Test func theTrashTakesTheFileWithItsWords() throws {
        try folder.write(decomposed, "x")
        try FileManager.default.createDirectory(atPath: folder.path(".about"), withIntermediateDirectories: true)
        try folder.write(".about/" + decomposed + ".json", "{}")
        try Trash(of: folder.path).take(composed)
        #expect(FilePlace.names(in: folder.path(".about")).isEmpty)
        #expect(Set(FilePlace.names(in: folder.path(".trash"))) == [composed, ".about"])
    }
}
