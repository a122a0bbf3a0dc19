import Foundation

/// Where the files that come with the program are.
enum DataFolder {
    /// The panel: the folder given, else `web`.
    static func panel(_ given: String?) -> String? { given ?? find("web", with: "index.html") }

    /// Rack presets: the folder given, else `presets`.
    static func presets(_ given: String?) -> String? { given ?? find("presets", with: nil) }

    /// Beside the source tree the program was built in, in the working folder, or in share/vestibule.
    ///
    /// - Parameter file: what it has to contain.
    private static func find(_ name: String, with file: String?) -> String? {
        let program = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
        var places = [URL(filePath: name)]
        var folder = program.deletingLastPathComponent()
        for _ in 0..<4 {
            places += [folder.appending(path: name), folder.appending(path: "share/vestibule/" + name)]
            folder = folder.deletingLastPathComponent()
        }
        return places.first { place in
            FileManager.default.fileExists(atPath: file.map { place.appending(path: $0).path } ?? place.path)
        }?.path
    }
}
