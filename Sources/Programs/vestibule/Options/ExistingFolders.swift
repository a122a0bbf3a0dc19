internal import ArgumentParser
internal import FileOutput
internal import Foundation

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
