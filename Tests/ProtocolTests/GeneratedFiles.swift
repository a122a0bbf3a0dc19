import Binaural
import Effects
import Foundation
import Parameters
import Rack
import Testing

/// Files generated from the declarations of parameters. `UPDATE_PROTOCOL=1 swift test --filter ProtocolTests` updates
/// them.
@Suite struct GeneratedFiles {
    static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()
    static let tree = ParameterTree(
        listeners: 1, trackers: 1, methods: InterpolationMethod.allCases.map(\.name), method: InterpolationMethod.standard.name,
        effects: EffectRegistry.standard.names, objects: 1, mappings: 1, cueList: 1)

    func compare(_ name: String, _ text: String) throws {
        let file = Self.root.appending(path: name)
        if ProcessInfo.processInfo.environment["UPDATE_PROTOCOL"] != nil {
            try Data(text.utf8).write(to: file, options: .atomic)
        }
        #expect(try String(contentsOf: file, encoding: .utf8) == text)
    }

    @Test func parameterTable() throws {
        let title = """
            # Parameters

            Generated from Sources/Parameters; a test keeps both equal. "Smoothing" is how the sound follows a change, with the
            time of a crossfade or the time constant of a one-pole low-pass; "kept by" names what remembers the value. Values of
            a circular parameter go round: an azimuth of 190 becomes -170.


            """
        try compare(
            "protocol/parameters.md",
            title + Self.tree.markdown + "\n## Slots of racks\n\n"
                + "RACK is `/rack/recording`, `/rack/input` or `/rack/listener/1`; {n} is the number of an existing slot "
                + "or branch.\n\n" + ParameterTree.rackMarkdown)
    }

    @Test func namespace() throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        let root = try #require(
            OSCQueryNode.describe(Self.tree, path: "/") { Self.tree.nodes[$0].spec.initial })
        try compare("protocol/namespace.json", String(decoding: try encoder.encode(root), as: UTF8.self) + "\n")
    }

    @Test func roles() throws {
        let lines = ParameterSpec.Role.allCases.map { "  \($0): '\($0.rawValue)'," }
        try compare(
            "web/js/shared/tree/roles.js",
            """
            /** Roles of values in the OSCQuery tree. Generated from Sources/Parameters; a test keeps both equal. */
            export const roles = Object.freeze({
            \(lines.joined(separator: "\n"))
            });

            """)
    }
}
