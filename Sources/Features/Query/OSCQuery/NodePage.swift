internal import Foundation
internal import Parameters
internal import Web

/// OSCQuery's `?HTML`: one node of the namespace as a page without scripts.
enum NodePage {
    /// Attributes as clients get them in JSON, and links to the nodes above and below.
    static func values(_ node: OSCQueryNode) -> [String: PageTemplate.Value] {
        [
            "path": .text(node.FULL_PATH), "description": .text(node.DESCRIPTION),
            "parent": .list(parent(node.FULL_PATH).map { [["parent": .text($0)]] } ?? []),
            "attributes": .list(attributes(node).map { ["name": .text($0.name), "value": .text($0.value)] }),
            "nodes": .list(
                (node.CONTENTS ?? [:]).sorted { $0.key < $1.key }.map { name, child in
                    ["name": .text(name), "address": .text(child.FULL_PATH), "title": .text(child.DESCRIPTION)]
                }),
        ]
    }

    private static func parent(_ path: String) -> String? {
        guard path != "/", let slash = path.lastIndex(of: "/") else { return nil }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    private static func attributes(_ node: OSCQueryNode) -> [(name: String, value: String)] {
        var bare = node
        bare.CONTENTS = nil
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.withoutEscapingSlashes]
        guard let data = try? encoder.encode(bare),
            let all = try? JSONSerialization.jsonObject(with: data) as? [String: Any]
        else { return [] }
        return all.sorted { $0.key < $1.key }.map { name, value in
            let options: JSONSerialization.WritingOptions = [.fragmentsAllowed, .sortedKeys, .withoutEscapingSlashes]
            let text = (try? JSONSerialization.data(withJSONObject: value, options: options)) ?? Data()
            return (name, String(decoding: text, as: UTF8.self))
        }
    }
}
