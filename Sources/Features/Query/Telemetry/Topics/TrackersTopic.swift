internal import Hub
internal import Parameters

/// `trackers`: the trackers that are attached, as in their parameters.
final class TrackersTopic: StateTopic {
    let name = "trackers"
    let code: UInt8? = 6
    let fastest = 30

    private let hub: Hub

    init(_ sources: TelemetrySources) { hub = sources.hub }

    var state: State? { State(json: (0..<hub.tree.trackers).compactMap(tracker)) }

    private func tracker(_ number: Int) -> Tracker? {
        func value(_ parameter: TrackerParameter) -> ParameterValue { hub.value(hub.tree.index(parameter, number)) }
        func first(_ parameter: TrackerParameter) -> Float { value(parameter).numbers.first ?? 0 }
        guard let source = value(.source).text, !source.isEmpty else { return nil }
        let pose = value(.pose).numbers
        return Tracker(
            number: number + 1, source: source, listener: Int(clamping: first(.listener)),
            state: (TrackerState(rawValue: Int(clamping: first(.state))) ?? TrackerState.none).name,
            inCharge: first(.inCharge) != 0,
            rate: first(.rate), age: first(.age), yaw: pose[0], pitch: pose[1], roll: pose[2],
            correction: first(.correction), problem: value(.problem).text ?? "")
    }

    struct Tracker: Equatable, Encodable {
        /// From 1, as in its address.
        var number: Int
        var source: String
        /// From 1.
        var listener: Int
        /// Name of a `TrackerState`.
        var state: String
        var inCharge: Bool
        /// Poses per second.
        var rate: Float
        /// Milliseconds since its newest pose.
        var age: Float
        /// The head by this tracker alone, degrees.
        var yaw: Float
        var pitch: Float
        var roll: Float
        /// Degrees that drift correction has added.
        var correction: Float
        /// In words; empty for none.
        var problem: String
    }

    struct State: TelemetryContent {
        let json: [Tracker]

        func write(to bytes: inout TelemetryWriter) {
            bytes.add(UInt32(json.count))
            for tracker in json {
                bytes.add(UInt16(tracker.number))
                bytes.add(UInt16(tracker.listener))
                bytes.add(UInt16(TrackerState.allCases.firstIndex { $0.name == tracker.state } ?? 0))
                bytes.add(UInt16(tracker.inCharge ? 1 : 0))
                for number in [tracker.rate, tracker.age, tracker.yaw, tracker.pitch, tracker.roll, tracker.correction] {
                    bytes.add(number)
                }
            }
        }
    }
}
