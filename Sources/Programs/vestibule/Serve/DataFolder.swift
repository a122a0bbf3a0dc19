import Foundation

/// Folders of the files that come with the program.
enum DataFolder {
    /// The panel: the folder given, else `web`.
    static func panel(_ given: String?) -> String? { given ?? find("web", with: "index.html") }

    /// Rack presets: the folder given, else `presets`.
    static func presets(_ given: String?) -> String? { given ?? find("presets", with: nil) }

    /// Searches the working folder, the source tree that the program was built in, and share/vestibule.
    ///
    /// - Parameter file: a file that the folder has to contain.
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
