import Binaural
import Effects
import Foundation
import Numbers
import Parameters
import Rack
import Testing

/// Files generated from the declarations of parameters. `make protocol` updates them.
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

            Generated from Sources/Control/Parameters; a test keeps both equal. "Smoothing" is how the sound follows a change, with the
            time of a crossfade or the time constant of a one-pole low-pass; "kept by" states whether sessions or scenes keep the
            value. Values of a circular parameter wrap around: an azimuth of 190 becomes -170. {n} is any number of a group, from 1.


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

    @Test func constants() throws {
        let lowest = Int(clamping: ProtectionParameter.ceilings.lowerBound)
        try compare(
            "web/renderer/constants.js",
            """
            /** Figures that the engine and browsers share. Generated from the engine; a test keeps both equal. */

            /** Radius of a head, and of an array that names none, metres. */
            export const standardRadius = \(MicrophoneArray.standardRadius);
            /** Lowest ceiling of the limiter, dB. */
            export const lowestCeiling = \(lowest);

            """)
    }

    /// Every role with the addresses that have it.
    @Test func rolesAndAddresses() throws {
        var addresses: [ParameterSpec.Role: [String]] = [:]
        for (address, spec) in Self.tree.listed + ParameterTree.rackListed {
            if let role = spec.role, addresses[role]?.last != address { addresses[role, default: []].append(address) }
        }
        let rows = ParameterSpec.Role.allCases.map { role in
            let names = [role.rawValue, role.formerName].compactMap { $0.map { "`\($0)`" } }
            return "| \(names.joined(separator: ", ")) | \((addresses[role] ?? []).map { "`\($0)`" }.joined(separator: ", ")) |\n"
        }
        try compare(
            "protocol/roles.md",
            """
            # Roles

            Generated from Sources/Control/Parameters; a test keeps both equal. [README.md](README.md#roles) explains roles, and the
            values that need it. A second name is that of an earlier release.
            RACK is `/rack/recording`, `/rack/input` or `/rack/listener/1`, and {n}
            is any number of a group, slot or branch. Higher listeners, trackers, objects, mappings and cues have the same roles as the
            first.

            | role | addresses |
            | --- | --- |

            """ + rows.joined())
        #expect(ParameterSpec.Role.allCases.filter { addresses[$0] == nil } == [])
    }

    /// Names, numbers and needs of the methods, for the renderer in browsers and the pages on which listeners choose one.
    @Test func methods() throws {
        let lines = InterpolationMethod.allCases.map {
            "  { name: '\($0.name)', title: '\($0.title)', number: \($0.rawValue), needsHRTF: \($0.bands.contains(.hrtf)) },"
        }
        try compare(
            "web/renderer/methods.js",
            """
            /** The interpolation methods. Generated from Sources/Realtime/Binaural/Methods; a test keeps both equal. */
            export const allMethods = Object.freeze([
            \(lines.joined(separator: "\n"))
            ]);

            """)
    }

    @Test func roles() throws {
        let lines = ParameterSpec.Role.allCases.map { "  \($0): '\($0.rawValue)'," }
        try compare(
            "web/js/shared/tree/roles.js",
            """
            /** Roles of values in the OSCQuery tree. Generated from Sources/Control/Parameters; a test keeps both equal. */
            export const roles = Object.freeze({
            \(lines.joined(separator: "\n"))
            });

            """)
    }
}
