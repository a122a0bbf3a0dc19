internal import Hub
internal import Parameters

/// `transport`: the recording and its position.
final class TransportTopic: StateTopic {
    let name = "transport"
    let code: UInt8? = 5
    let fastest = 60

    private let hub: Hub

    init(_ sources: TelemetrySources) { hub = sources.hub }

    var state: State? {
        let tree = hub.tree
        let node = tree.nodes[tree.index(TransportParameter.state)]
        guard case .string(let name)? = node.spec.arguments(hub.value(node.index)).first else { return nil }
        return State(
            json: .init(
                state: name, loop: hub.value(tree.index(TransportParameter.loop)) == .number(1),
                position: hub.value(tree.index(TransportParameter.position)).numbers[0],
                duration: hub.value(tree.index(TransportParameter.duration)).numbers[0],
                recording: hub.value(tree.index(SessionParameter.recording)).text ?? ""))
    }

    struct Transport: Equatable, Encodable {
        var state: String
        var loop: Bool
        /// Seconds.
        var position: Float
        var duration: Float
        var recording: String
    }

    struct State: TelemetryContent {
        let json: Transport

        func write(to bytes: inout TelemetryWriter) {
            bytes.add(UInt32(TransportState.allCases.firstIndex { $0.name == json.state } ?? 0))
            bytes.add(UInt32(json.loop ? 1 : 0))
            bytes.add(json.position)
            bytes.add(json.duration)
        }
    }
}
