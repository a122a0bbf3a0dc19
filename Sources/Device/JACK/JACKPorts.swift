internal import CJACK
internal import Glibc

/// The ports of a client: two for each listener, `listener-1-left`, `listener-1-right` and so on, and `input-left` and `input-right` for
/// the live input, and `array-1` and so on for a live array.
// SAFETY: written by the initialiser only; the ports live as long as the client.
final class JACKPorts: @unchecked Sendable {
    let ears: [OpaquePointer]
    let inputs: [OpaquePointer]
    let array: [OpaquePointer]
    private let client: JACKClient

    init(_ client: JACKClient, listeners: Int, hasInput: Bool, microphones: Int) throws(DeviceError) {
        self.client = client
        var ears: [OpaquePointer] = []
        for listener in 0..<listeners {
            for side in ["left", "right"] { ears.append(try client.register("listener-\(listener + 1)-\(side)", JackPortIsOutput)) }
        }
        var inputs: [OpaquePointer] = []
        if hasInput { for side in ["left", "right"] { inputs.append(try client.register("input-\(side)", JackPortIsInput)) } }
        var array: [OpaquePointer] = []
        for microphone in 0..<microphones { array.append(try client.register("array-\(microphone + 1)", JackPortIsInput)) }
        self.ears = ears
        self.inputs = inputs
        self.array = array
    }

    /// Connects the inputs to the first two inputs of the sound card, one input to both; without any, they stay as they are.
    func connectInputs() {
        let sources = client.physicalPorts(JackPortIsOutput)
        guard let first = sources.first else { return }
        for (port, source) in zip(inputs, [first, sources.count > 1 ? sources[1] : first]) {
            _ = jack_connect(client.client, source, jack_port_name(port))
        }
    }

    /// Whether something is connected to a port of the array.
    var isArrayConnected: Bool { array.contains { jack_port_connected($0) > 0 } }

    /// Connects a microphone to its source.
    func connect(microphone: Int, _ source: String) { _ = jack_connect(client.client, source, jack_port_name(array[microphone])) }

    /// Connects a listener's ears to a pair of the sound card's outputs.
    /// - Returns: false when the server is busy and another try may succeed.
    func connect(listener: Int, _ pair: ChannelPair) -> Bool {
        let outputs = client.physicalPorts(JackPortIsInput)
        return [pair.left, pair.right].enumerated().allSatisfy { side, channel in
            guard channel <= outputs.count else { return true }
            let code = jack_connect(client.client, jack_port_name(ears[2 * listener + side]), outputs[channel - 1])
            return code == 0 || code == EEXIST
        }
    }

    /// Disconnects a listener's ears from a pair of the sound card's outputs.
    func disconnect(listener: Int, _ pair: ChannelPair) {
        let outputs = client.physicalPorts(JackPortIsInput)
        for (side, channel) in [pair.left, pair.right].enumerated() where channel <= outputs.count {
            _ = jack_disconnect(client.client, jack_port_name(ears[2 * listener + side]), outputs[channel - 1])
        }
    }
}
