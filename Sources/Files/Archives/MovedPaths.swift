internal import Foundation

/// Maps the paths and names in sessions of an archive to those of the imported files.
struct MovedPaths {
    /// Folders of the exporting and of the importing installation; longer ones first.
    private let folders: [(kind: String, old: String, new: String)]
    /// New names of renamed files, by kind and former name.
    private var renamed: [String: [String: String]] = [:]
    /// Kinds that have a file of a name, by that name.
    private var owners: [String: Set<String>] = [:]

    init(_ manifest: ArchiveManifest, _ kinds: [ArchiveKind]) {
        folders = kinds.compactMap { kind in manifest.folders[kind.name].map { (kind.name, $0, kind.folder) } }
            .sorted { $0.1.utf8.count > $1.1.utf8.count }
        for file in manifest.files { owners[file.name, default: []].insert(file.kind) }
    }

    mutating func rename(_ name: String, of kind: String, to new: String) { renamed[kind, default: [:]][name] = new }

    /// - Returns: the text of a session with the current paths and names; nil when nothing changes.
    func text(_ text: String) -> String? {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { line(String($0)) }
        let new = lines.joined(separator: "\n")
        return new == text ? nil : new
    }

    private func line(_ text: String) -> String {
        for (kind, old, new) in folders where text.hasPrefix(old + "/") {
            let name = String(text.dropFirst(old.count + 1))
            return new + "/" + present(name, kind)
        }
        // A name without a folder refers to the only kind that has such a file.
        guard let kinds = owners[text], kinds.count == 1, let kind = kinds.first else { return text }
        return renamed[kind]?[text] ?? text
    }

    /// The present name of a file, or of a folder whose files have been renamed.
    private func present(_ name: String, _ kind: String) -> String {
        guard let names = renamed[kind] else { return name }
        if let new = names[name] { return new }
        guard let inside = names.first(where: { $0.key.hasPrefix(name + "/") }) else { return name }
        return String(inside.value.dropLast(inside.key.count - name.count))
    }
}

/// The texts in JSON, which can be replaced while everything else stays as it is written, byte for byte.
enum JSONStrings {
    private static let (quote, backslash) = (UInt8(ascii: "\""), UInt8(ascii: "\\"))

    /// - Parameter replace: called with each text, names of fields included; returns nil to keep it.
    static func replacing(in json: [UInt8], _ replace: (String) -> String?) -> [UInt8] {
        var result: [UInt8] = []
        var at = 0
        while at < json.count {
            guard json[at] == quote else {
                result.append(json[at])
                at += 1
                continue
            }
            var end = at + 1
            while end < json.count, json[end] != quote { end += json[end] == backslash ? 2 : 1 }
            let token = json[at...min(end, json.count - 1)]
            let text = try? JSONSerialization.jsonObject(with: Data(token), options: .fragmentsAllowed) as? String
            result += text.flatMap(replace).map(encoded) ?? Array(token)
            at = end + 1
        }
        return result
    }

    private static func encoded(_ text: String) -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .withoutEscapingSlashes
        return [UInt8]((try? encoder.encode(text)) ?? Data())
    }
}
