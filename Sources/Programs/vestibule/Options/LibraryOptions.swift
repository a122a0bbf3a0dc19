internal import ArgumentParser
internal import FileOutput
internal import Foundation

/// The media library.
struct LibraryOptions: ParsableArguments {
    @Option(
        name: .customLong("library"),
        help: """
            Folder whose recordings and videos the media library lists besides the program's own files; it is only read. Repeatable.
            """)
    var folders: [String] = []

    @OptionGroup var size: LibraryLimit

    func validate() throws { try ExistingFolders.check(folders, "--library") }
}

/// The size of the media library.
struct LibraryLimit: ParsableArguments {
    @Option(
        name: .customLong("library-limit"),
        help: "Size limit of the media library in gigabytes; no files are accepted beyond it (default: the disk's size).")
    var gigabytes: Double?

    /// Bytes; nil for no limit.
    var limit: Int64? { gigabytes.map { Int64(clamping: $0 * 1e9) } }

    func validate() throws {
        guard gigabytes.map({ (0.001...1e6).contains($0) }) ?? true else {
            throw ValidationError("--library-limit \(gigabytes ?? 0): give 0.001 to 1000000 gigabytes.")
        }
    }
}

/// Folders that options name.
enum ExistingFolders {
    /// - Parameter option: with its dashes.
    /// - Throws: `ValidationError` for the first folder that does not exist.
    static func check(_ folders: [String], _ option: String) throws {
        for folder in folders {
            var isFolder: ObjCBool = false
            guard FileManager.default.fileExists(atPath: FilePlace.equivalent(folder), isDirectory: &isFolder), isFolder.boolValue else {
                throw ValidationError("\(option) \(folder): there is no such folder.")
            }
        }
    }
}
