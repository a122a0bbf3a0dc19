import Foundation

/// Names of files, as other machines and people know them.
extension ClientFiles {
    /// The name of a file: relative to the folder of its kind, or the last part of its path if it is elsewhere.
    func name(_ path: String, _ kind: Kind) -> String {
        let folder = folder(kind) + "/"
        return path.hasPrefix(folder) ? String(path.dropFirst(folder.count)) : URL(filePath: path).lastPathComponent
    }

    /// The name of the sidecar beside a recording that is a single file.
    static func sidecar(of name: String) -> String {
        (name.lastIndex(of: ".").map { String(name[..<$0]) } ?? name) + ".json"
    }

    /// The file for a name that another machine uses: one that the command line has named, or one in the folder of its kind.
    func file(_ name: String, _ kind: Kind) -> String { grantedFile(name) ?? name }
}
