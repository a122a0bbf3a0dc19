import Foundation
import Testing

@testable import FileOutput

/// Files appear complete or not at all, and replace nothing that they should not.
@Suite struct OutputFileTests {
    let folder: TestFolder

    init() { folder = TestFolder() }

    private func refusal(
        _ path: String, existing: OutputFile.Existing = .refused, inputs: [String] = []
    ) -> OutputError? {
        do {
            try OutputFile.write("new", to: path, existing: existing, inputs: inputs)
            return nil
        } catch { return error }
    }

    // MARK: Completion

    @Test(arguments: [false, true])
    func appearsWhenItIsComplete(survivesCrash: Bool) throws {
        let file = try OutputFile(folder.path("a"), survivesCrash: survivesCrash)
        try file.write("one ")
        #expect(folder.text("a") == nil)
        #expect(folder.names == (survivesCrash ? ["a.part"] : []))
        try file.write("two")
        try file.finish()
        #expect(folder.text("a") == "one two")
        #expect(folder.names == ["a"])
    }

    @Test func anUnfinishedFileLeavesTheOldOneAndNothingElse() throws {
        try folder.write("a", "old")
        do {
            let file = try OutputFile(folder.path("a"), existing: .replaced)
            try file.write("half")
            #expect(folder.text("a") == "old")
        }
        #expect(folder.text("a") == "old")
        #expect(folder.names == ["a"])
    }

    @Test func anUnfinishedFileThatIsToSurviveStays() throws {
        for _ in 0..<2 {
            let file = try OutputFile(folder.path("a"), survivesCrash: true)
            try file.write("half")
        }
        do { _ = try OutputFile(folder.path("b"), survivesCrash: true) }
        // Not even another incomplete file replaces it, and an empty one is not kept.
        #expect(folder.names == ["a-2.part", "a.part"])
        #expect(folder.text("a.part") == "half")
    }

    @Test(arguments: [false, true])
    func replacesWhenItIsComplete(survivesCrash: Bool) throws {
        try folder.write("a", "old")
        let file = try OutputFile(folder.path("a"), existing: .replaced, survivesCrash: survivesCrash)
        try file.write("new")
        try file.finish()
        #expect(folder.text("a") == "new")
        #expect(folder.names == ["a"])
    }

    @Test(arguments: [false, true])
    func aFileThatAppearsMeanwhileIsKept(survivesCrash: Bool) throws {
        let file = try OutputFile(folder.path("a"), survivesCrash: survivesCrash)
        try file.write("new")
        try folder.write("a", "somebody else's")
        #expect(throws: OutputError.self) { try file.finish() }
        #expect(folder.text("a") == "somebody else's")
        #expect(folder.names == (survivesCrash ? ["a", "a.part"] : ["a"]))
    }

    // MARK: Existing files

    @Test func anExistingFileIsRefusedUnlessItIsToBeReplaced() throws {
        try folder.write("a", "old")
        let error = refusal(folder.path("a"))
        #expect(error?.kind == .exists)
        #expect(error?.description == "\(folder.path("a")) was not written: the file exists already")
        #expect(folder.text("a") == "old")
        #expect(refusal(folder.path("a"), existing: .replaced) == nil)
        #expect(folder.text("a") == "new")
    }

    @Test func noInputIsReplaced() throws {
        let input = try folder.write("in", "input")
        try folder.link("symbolic", to: "in")
        try FileManager.default.createSymbolicLink(atPath: folder.path("chain"), withDestinationPath: folder.path("symbolic"))
        try FileManager.default.linkItem(atPath: input, toPath: folder.path("hard"))
        try FileManager.default.createDirectory(atPath: folder.path("sub"), withIntermediateDirectories: true)
        for name in ["in", "symbolic", "chain", "hard", "sub/../in", "./in"] {
            for existing in [OutputFile.Existing.refused, .replaced] {
                let error = refusal(folder.path(name), existing: existing, inputs: ["/nowhere", input])
                #expect(error?.kind == .isInput, "\(name)")
                #expect(error?.reason.contains("the same file as the input \(input)") == true)
            }
        }
        // The input is named by a link, too, or it is a file of a folder that is read.
        #expect(refusal(input, existing: .replaced, inputs: [folder.path("chain")])?.kind == .isInput)
        #expect(refusal(input, existing: .replaced, inputs: [folder.path])?.kind == .isInput)
        #expect(folder.text("in") == "input")
        // Another file with the same contents is none.
        try folder.write("other", "input")
        #expect(refusal(folder.path("other"), existing: .replaced, inputs: [input]) == nil)
    }

    @Test func aLinkStaysAndItsFileIsReplaced() throws {
        try folder.write("a", "old")
        try folder.link("link", to: "a")
        #expect(refusal(folder.path("link"))?.kind == .exists)
        #expect(refusal(folder.path("link"), existing: .replaced) == nil)
        #expect(folder.text("a") == "new")
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: folder.path("link")) == "a")
        #expect(folder.names == ["a", "link"])
    }

    // MARK: Permissions

    @Test func permissionsAreThoseOfANewFileOrOfTheReplacedOne() throws {
        let mask = umask(0)
        umask(mask)
        try OutputFile.write("x", to: folder.path("fresh"))
        #expect(folder.mode("fresh") == 0o666 & ~Int(mask))
        try folder.write("private", "old")
        chmod(folder.path("private"), 0o600)
        try OutputFile.write("x", to: folder.path("private"), existing: .replaced)
        #expect(folder.mode("private") == 0o600)
        try OutputFile.write([1], to: folder.path("key"), permissions: 0o600)
        #expect(folder.mode("key") == 0o600)
    }

    // MARK: Files that were read

    /// Records a file as read.
    private func read(_ name: String) {
        var facts = stat()
        #expect(stat(folder.path(name), &facts) == 0)
        FilesRead.insert(facts, path: folder.path(name))
    }

    @Test func aFileThatWasReadIsNotReplaced() throws {
        try folder.write("in", "old")
        try folder.link("link", to: "in")
        read("in")
        for name in ["in", "link"] {
            #expect(refusal(folder.path(name), existing: .replacedUnlessRead)?.kind == .isInput)
        }
        #expect(folder.text("in") == "old")
        #expect(folder.names == ["in", "link"])
        // The program's own documents are read and written again.
        #expect(refusal(folder.path("in"), existing: .replaced) == nil)
        #expect(folder.text("in") == "new")
    }

    @Test(arguments: [false, true])
    func anOutputStaysBesideAFileThatWasReadMeanwhile(survivesCrash: Bool) throws {
        try folder.write("in", "old")
        try folder.write("in.part", "former")
        let file = try OutputFile(folder.path("in"), existing: .replacedUnlessRead, survivesCrash: survivesCrash)
        try file.write("new")
        read("in")
        #expect { try file.finish() } throws: { error in
            (error as? OutputError)?.kind == .isInput && "\(error)".contains(folder.path("in-2.part"))
        }
        #expect(folder.text("in") == "old")
        #expect(folder.text("in.part") == "former")
        #expect(folder.text("in-2.part") == "new")
        #expect(folder.names == ["in", "in-2.part", "in.part"])
    }

    @Test func filesThatAreGoneAreNotRemembered() throws {
        try folder.write("in", "old")
        read("in")
        // A file system may or may not give a new file the number of one that is gone.
        var facts = stat()
        for number in 0..<3 * FilesRead.fewest {
            let name = "upload-\(number)"
            try folder.write(name, "")
            #expect(stat(folder.path(name), &facts) == 0)
            facts.st_ino = ino_t.max - ino_t(number)
            FilesRead.insert(facts, path: folder.path(name))
            #expect(unlink(folder.path(name)) == 0)
        }
        #expect(FilesRead.count <= FilesRead.fewest + 1)
        #expect(refusal(folder.path("in"), existing: .replacedUnlessRead)?.kind == .isInput)
    }

    @Test func aFileThatWasNotReadIsReplaced() throws {
        try folder.write("a", "old")
        #expect(refusal(folder.path("a"), existing: .replacedUnlessRead) == nil)
        #expect(folder.text("a") == "new")
    }

    // MARK: Errors

    @Test func errorsSayWhereAndWhy() throws {
        try folder.write("file", "text")
        try folder.link("nowhere", to: "missing")
        try folder.link("round", to: "round")
        let long = String(repeating: "n", count: 300)
        for (path, words) in [
            (folder.path("no/a"), "there is no folder \(folder.path("no"))"), (folder.path("file/a"), "is not a folder"),
            (folder.path, "it is a folder"), (folder.path("new/"), "it names a folder"), (folder.path(long), "the name is too long"),
            ("/sys/a", "is not writable"), ("/dev/null", "not a regular file"), (folder.path("nowhere"), "dangling symbolic link"),
            (folder.path("round"), "dangling symbolic link"), ("", "not a path"), (folder.path("a\0b"), "not a path"),
        ] {
            let error = refusal(path, existing: .replaced)
            #expect(error?.reason.contains(words) == true, "\(path): \(error?.reason ?? "written")")
            #expect(error?.path == path)
        }
        #expect(folder.names == ["file", "nowhere", "round"])
    }
}
