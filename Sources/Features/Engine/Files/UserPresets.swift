import FileOutput
import Foundation

/// The racks in the user's preset folder and in folders inside it.
enum UserPresets {
    /// Maximum depth of nested folders.
    private static let deepest = 4
    private static let ending = ".json"

    /// Names without `.json`, relative to the folder: those in the folder itself first, then those of each folder in it.
    ///
    /// - Parameters:
    ///   - most: largest number of names.
    ///   - isAllowed: whether clients may use a path; links that lead elsewhere are left out.
    static func names(in folder: String, most: Int, isAllowed: (String) -> Bool) -> [String] {
        var names: [String] = []
        add(to: &names, folder, "", most, isAllowed)
        return Array(names.prefix(most))
    }

    /// Name of a rack file, as clients write it: relative to the preset folder, where it is inside.
    static func name(of path: String, in folder: String) -> String {
        let name = path.hasPrefix(folder + "/") ? path.dropFirst(folder.count + 1) : path.split(separator: "/").last ?? ""
        return String(name.hasSuffix(ending) ? name.dropLast(ending.count) : name)
    }

    private static func add(
        to names: inout [String], _ folder: String, _ prefix: String, _ most: Int, _ isAllowed: (String) -> Bool
    ) {
        let found = FilePlace.names(in: folder).filter { !$0.hasPrefix(".") }.sorted()
        names += found.filter { $0.hasSuffix(ending) && isAllowed(folder + "/" + $0) }.map { prefix + $0.dropLast(ending.count) }
        guard prefix.split(separator: "/").count < deepest else { return }
        for name in found where names.count < most && !name.hasSuffix(ending) {
            let path = folder + "/" + name
            var isFolder: ObjCBool = false
            guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder.boolValue, isAllowed(path) else {
                continue
            }
            add(to: &names, path, prefix + name + "/", most, isAllowed)
        }
    }
}
