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

    @OptionGroup var size: LibraryLimit

    func validate() throws {
        for folder in folders {
            var isFolder: ObjCBool = false
            guard FileManager.default.fileExists(atPath: folder, isDirectory: &isFolder), isFolder.boolValue else {
                throw ValidationError("--library \(folder): there is no such folder.")
            }
        }
    }
}
