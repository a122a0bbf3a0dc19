import FileOutput
import Files
import Foundation

/// The rack files that come with the program.
package struct PresetFolder: Sendable {
    /// A preset: its name without `.json`, and the title and summary in its file.
    struct Entry: Sendable {
        let name: String
        let title: String
        let summary: String
    }

    /// All presets, in alphabetical order.
    let entries: [Entry]
    /// Their names.
    package var names: [String] { entries.map(\.name) }
    private let folder: String

    /// - Parameter folder: folder of the presets; nil, or one that cannot be read, means no presets.
    package init(folder: String?) {
        self.folder = folder ?? ""
        let files = folder.flatMap { try? FileManager.default.contentsOfDirectory(atPath: $0) } ?? []
        entries = files.filter { $0.hasSuffix(".json") }.sorted().map { Self.entry($0, in: folder ?? "") }
    }

    private static func entry(_ file: String, in folder: String) -> Entry {
        struct Words: Decodable {
            let title: String?
            let summary: String?
        }
        // A file that cannot be read is listed by its name, and refused with the reason when it is loaded.
        let text = try? RegularFile.text(folder + "/" + file)
        let words = text.flatMap { try? JSONDecoder().decode(Words.self, from: Data($0.utf8)) }
        func line(_ text: String?) -> String { String((text ?? "").map { $0.isWhitespace ? " " : $0 }) }
        return Entry(name: String(file.dropLast(".json".count)), title: line(words?.title), summary: line(words?.summary))
    }

    /// Path of a preset.
    func path(_ name: String) -> String { URL(filePath: folder).appending(path: name + ".json").path }
}

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
