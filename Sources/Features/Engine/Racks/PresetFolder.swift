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
