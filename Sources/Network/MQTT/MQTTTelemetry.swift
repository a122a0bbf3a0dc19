internal import Hub
internal import Parameters

/// Levels and latencies as JSON objects, for messages that expire.
struct MQTTTelemetry {
    /// Seconds after which the broker drops a message that nobody has received.
    static let levelsExpiry: UInt32 = 1
    static let latencyExpiry: UInt32 = 5

    let hub: Hub

    /// Peak and RMS of each listener's ears, as shares of full scale, and the limiter's gain reduction in decibels.
    var levels: [UInt8] {
        object(
            listeners.map { listener in
                let members = [
                    ("peak", value(ListenerMeter.peak, listener)), ("rms", value(ListenerMeter.rms, listener)),
                    ("reduction", value(ListenerMeter.reduction, listener)),
                ]
                return ("\(listener + 1)", object(members))
            })
    }

    /// The engine's load, its lost blocks, and the summary of the latency from motion to sound.
    var latency: [UInt8] {
        object([
            ("motion-to-sound", value(LatencyParameter.motionToSound)), ("waiting", value(LatencyParameter.waiting)),
            ("poses", value(LatencyParameter.poses)), ("load", value(EngineParameter.load)), ("xruns", value(EngineParameter.xruns)),
            ("dropouts", value(EngineParameter.dropouts)), ("control-worst", value(EngineParameter.controlWorst)),
        ])
    }

    private var listeners: [Int] { (0..<min(hub.tree.listeners, hub.tree.mostListed)).filter { hub.tree.isPresent[$0] } }

    private func value(_ parameter: some ParameterGroup, _ instance: Int = 0) -> [UInt8] {
        let index = hub.tree.index(parameter, instance)
        return MQTTValue.json(hub.tree.nodes[index].spec, hub.value(index))
    }

    private func object(_ members: [(name: String, value: [UInt8])]) -> [UInt8] {
        let lines = members.map { MQTTValue.quoted($0.name) + [UInt8(ascii: ":")] + $0.value }
        return [UInt8(ascii: "{")] + lines.joined(separator: [UInt8(ascii: ",")]) + [UInt8(ascii: "}")]
    }
}
