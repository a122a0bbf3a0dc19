import ArgumentParser
import Foundation

/// The media library.
struct LibraryOptions: ParsableArguments {
    @Option(
        name: .customLong("library"),
        help: """
            Folder whose recordings and videos the media library lists besides the program's own files; it is only read. Repeatable.
            """)
    var folders: [String] = []

    @Option(
        name: .customLong("library-limit"),
        help: "Gigabytes that the files of the media library may have; clients can send no more files then (default: the disk's size).")
    var gigabytes: Double?

    /// Bytes; nil for no limit.
    var limit: Int64? { gigabytes.map { Int64(clamping: $0 * 1e9) } }

    func validate() throws {
        for folder in folders {
            var isFolder: ObjCBool = false
            guard FileManager.default.fileExists(atPath: folder, isDirectory: &isFolder), isFolder.boolValue else {
                throw ValidationError("--library \(folder): there is no such folder.")
            }
        }
        guard gigabytes.map({ (0.001...1e6).contains($0) }) ?? true else {
            throw ValidationError("--library-limit \(gigabytes ?? 0): give 0.001 to 1000000 gigabytes.")
        }
    }
}
