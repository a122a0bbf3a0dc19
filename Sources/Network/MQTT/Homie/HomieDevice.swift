internal import Hub
internal import Parameters

/// An engine as a device of the Homie convention, version 5: its nodes and properties with their topics.
///
/// Homie is for lights and switches: a device has the few parameters that automation of a house or a museum needs.
struct HomieDevice {
    /// A parameter as a property.
    struct Property {
        let index: Int
        /// Topic of its value; commands arrive below it at `set`.
        let topic: String
    }

    /// Names of the containers and their parameters that are properties; `#` is a number.
    private static let chosen: [(container: String, names: [String])] = [
        ("/transport", ["state", "play", "pause", "stop", "seek", "loop", "duration"]),
        ("/listener/#", ["name", "gain", "mute", "front", "recenter"]),
        ("/cue-list", ["go", "back", "stop", "current", "standby"]),
        ("/music", ["run", "gain", "state", "title"]),
        ("/input", ["gain", "mute"]),
        ("/object/#", ["name", "gain", "mute"]),
        ("/scene", ["recall", "current"]),
        ("/take", ["start", "stop", "recording"]),
        ("/engine", ["xruns", "dropouts"]),
    ]

    private let name: String
    /// The nodes of the description, in JSON.
    let nodes: [UInt8]
    /// Properties with a value that is retained.
    let retained: [Property]
    /// Indices of parameters that can be set, by the topic of their commands.
    let commands: [String: Int]

    /// - Parameters:
    ///   - name: of the engine.
    ///   - prefix: the device's topic.
    init(_ hub: Hub, name: String, prefix: String) {
        var described: [(name: String, title: String, properties: [(name: String, value: [UInt8])])] = []
        var retained: [Property] = []
        var commands: [String: Int] = [:]
        for place in Self.places(hub.tree) {
            let parameters = place.names.compactMap { name in
                hub.tree.index(at: "\(place.container)/\(name)").map { (name: name, index: $0, spec: hub.tree.nodes[$0].spec) }
            }
            let properties = parameters.compactMap { name, index, spec -> (name: String, value: [UInt8])? in
                guard let text = HomieValue.description(spec) else { return nil }
                let topic = "\(prefix)/\(place.node)/\(name)"
                if spec.access != .write { retained.append(Property(index: index, topic: topic)) }
                if spec.access != .read { commands[topic + "/set"] = index }
                return (name, text)
            }
            if !properties.isEmpty { described.append((place.node, place.title, properties)) }
        }
        let members = described.map { node in
            (node.name, Self.object([("name", MQTTValue.quoted(node.title)), ("properties", Self.object(node.properties))]))
        }
        (self.name, self.nodes) = (name, Self.object(members))
        (self.retained, self.commands) = (retained, commands)
    }

    /// Payload of `$description`.
    /// - Parameter version: higher than that of any other description before, also in earlier runs.
    func description(version: Int) -> [UInt8] {
        Self.object([
            ("homie", MQTTValue.quoted("5.0")), ("version", Array(version.description.utf8)), ("name", MQTTValue.quoted(name)),
            ("type", MQTTValue.quoted("vestibule")), ("nodes", nodes),
        ])
    }

    /// Containers that exist, numbered ones first to last.
    private static func places(_ tree: ParameterTree) -> [(container: String, node: String, title: String, names: [String])] {
        chosen.flatMap { container, names in
            guard container.hasSuffix("#") else {
                let node = String(container.dropFirst())
                return [(container, node, title(node), names)]
            }
            let parent = container.dropLast(2)
            return (1...64).map { number in
                let node = "\(parent.dropFirst())-\(number)"
                return ("\(parent)/\(number)", node, title(node), names)
            }
        }
    }

    private static func title(_ node: String) -> String {
        let words = node.split(separator: "-").joined(separator: " ")
        return words.prefix(1).uppercased() + words.dropFirst()
    }

    static func object(_ members: [(name: String, value: [UInt8])]) -> [UInt8] {
        let lines = members.map { MQTTValue.quoted($0.name) + [UInt8(ascii: ":")] + $0.value }
        return [UInt8(ascii: "{")] + lines.joined(separator: [UInt8(ascii: ",")]) + [UInt8(ascii: "}")]
    }
}
