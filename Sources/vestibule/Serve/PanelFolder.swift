import Foundation

/// Where the panel's files are.
enum PanelFolder {
    /// The folder given, else `web` beside the source tree the program was built in, the working folder, or share/vestibule.
    static func find(_ given: String?) -> String? {
        if let given { return given }
        let program = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
        var places = [URL(filePath: "web")]
        var folder = program.deletingLastPathComponent()
        for _ in 0..<4 {
            places += [folder.appending(path: "web"), folder.appending(path: "share/vestibule/web")]
            folder = folder.deletingLastPathComponent()
        }
        return places.first { FileManager.default.fileExists(atPath: $0.appending(path: "index.html").path) }?.path
    }
}
