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

    func validate() throws { try ExistingFolders.check(folders, "--library") }
}
