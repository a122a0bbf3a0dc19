import Binaural
import Foundation
import Parameters
import Testing

/// The files under protocol/ are what the code says. `UPDATE_PROTOCOL=1 swift test --filter ProtocolTests`
/// writes them anew.
@Suite struct GeneratedFiles {
    static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "protocol")
    static let tree = ParameterTree(
        listeners: 1, trackers: 1, methods: InterpolationMethod.allCases.map(\.name), method: InterpolationMethod.standard.name,
        objects: 1)

    func compare(_ name: String, _ text: String) throws {
        let file = Self.folder.appending(path: name)
        if ProcessInfo.processInfo.environment["UPDATE_PROTOCOL"] != nil {
            try Data(text.utf8).write(to: file, options: .atomic)
        }
        #expect(try String(contentsOf: file, encoding: .utf8) == text)
    }

    @Test func parameterTable() throws {
        let title = "# Parameters\n\nGenerated from Sources/Parameters; a test keeps it true.\n\n"
        try compare(
            "parameters.md",
            title + Self.tree.markdown + "\n## Slots of racks\n\n"
                + "RACK is `/rack/recording`, `/rack/input` or `/rack/listener/1`; {n} the number of a slot or branch "
                + "that is there.\n\n" + ParameterTree.rackMarkdown)
    }

    @Test func namespace() throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        let root = try #require(
            OSCQueryNode.describe(Self.tree, path: "/") { Self.tree.nodes[$0].spec.initial })
        try compare("namespace.json", String(decoding: try encoder.encode(root), as: UTF8.self) + "\n")
    }
}
