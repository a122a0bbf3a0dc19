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

    /// Connects an input to its source.
    func connect(input: Int, _ source: String) { _ = jack_connect(client.client, source, jack_port_name(inputs[input])) }

    func disconnect(input: Int, _ source: String) { _ = jack_disconnect(client.client, source, jack_port_name(inputs[input])) }

    /// Whether something is connected to a port of the array.
    var isArrayConnected: Bool { array.contains { jack_port_connected($0) > 0 } }

    /// Connects a microphone to its source.
    func connect(microphone: Int, _ source: String) { _ = jack_connect(client.client, source, jack_port_name(array[microphone])) }

    /// Whether something is connected to an ear: 0 for the left one of the first listener, 1 for its right one and so on.
    func isConnected(ear: Int) -> Bool { jack_port_connected(ears[ear]) > 0 }

    /// Connects an ear to an output of the sound card.
    /// - Returns: false when the server is busy and another try may succeed.
    func connect(ear: Int, _ output: String) -> Bool {
        let code = jack_connect(client.client, jack_port_name(ears[ear]), output)
        return code == 0 || code == EEXIST
    }

    func disconnect(ear: Int, _ output: String) { _ = jack_disconnect(client.client, jack_port_name(ears[ear]), output) }
}
