import FileOutput
import Testing

@testable import Archives

struct MovedPathsTests {
    private func kind(_ name: String, _ folder: String, _ grouping: ArchiveKind.Grouping = .file) -> ArchiveKind {
        let files = AcceptedFiles(name, folder: folder, endings: ["wav", "json"], most: 1000) { _ in }
        return ArchiveKind(name, folder: folder, depth: 1...2, grouping: grouping, accepted: [files])
    }

    private func manifest(_ files: [(String, String)]) -> ArchiveManifest {
        ArchiveManifest(
            program: "", made: "", folders: ["recordings": "/a/recordings", "sounds": "/a/recordings/sounds"],
            files: files.map { .init(kind: $0.0, name: $0.1, size: 1, sha256: "") })
    }

    @Test func pathsLeadToThePresentFoldersAndNames() {
        let kinds = [kind("recordings", "/b/r"), kind("sounds", "/b/s")]
        var paths = MovedPaths(
            manifest([("recordings", "x.wav"), ("recordings", "ring/1.wav"), ("sounds", "x.wav"), ("sounds", "y.wav")]), kinds)
        paths.rename("x.wav", of: "recordings", to: "x-2.wav")
        paths.rename("ring/1.wav", of: "recordings", to: "ring-2/1.wav")
        paths.rename("y.wav", of: "sounds", to: "y-2.wav")
        #expect(paths.text("/a/recordings/x.wav") == "/b/r/x-2.wav")
        #expect(paths.text("/a/recordings/ring") == "/b/r/ring-2")
        // The longer folder counts.
        #expect(paths.text("/a/recordings/sounds/x.wav") == "/b/s/x.wav")
        // A playlist has one name a line.
        #expect(paths.text("z.wav\n/a/recordings/x.wav") == "z.wav\n/b/r/x-2.wav")
        #expect(paths.text("y.wav") == "y-2.wav")
        // Two kinds have such a file: the name alone does not say which.
        #expect(paths.text("x.wav") == nil)
        #expect(paths.text("/a/recordingsx/x.wav") == nil)
        #expect(paths.text("/elsewhere/x.wav") == nil)
    }

    @Test func filesThatBelongTogetherHaveOneUnit() {
        let stem = kind("recordings", "/r", .stem)
        #expect(stem.unit("garden.wav") == "garden" && stem.unit("garden.json") == "garden" && stem.unit("ring/1.wav") == "ring")
        #expect(stem.renamed("garden.wav", unit: "garden", to: stem.numbered("garden", 2)) == "garden-2.wav")
        let file = kind("presets", "/p")
        #expect(file.numbered("a.b/warm.json", 2) == "a.b/warm-2.json")
        #expect(file.numbered("a.b/warm", 2) == "a.b/warm-2")
        #expect(kind("takes", "/t", .folder).unit("one/take.json") == "one")
    }

    @Test(arguments: [
        "../x.wav", "/x.wav", "a/../x.wav", ".x.wav", "a/.x.wav", "x.exe", "a/b/x.wav", "", "a//x.wav", "x.wav\n", "a\\x.wav",
    ])
    func otherNamesAreRefused(_ name: String) {
        #expect(kind("recordings", "/r").problem(name) != nil)
        #expect(kind("recordings", "/r").problem("a/x.wav") == nil)
    }
}
