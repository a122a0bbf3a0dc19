internal import CJACK

/// The ports of a client: two for each listener, `listener-1-left`, `listener-1-right` and so on, and `input-left` and `input-right` for
/// the live input, and `array-1` and so on for a live array.
// SAFETY: written by the initialiser only; the ports live as long as the client.
final class JACKPorts: @unchecked Sendable {
    let ears: [OpaquePointer]
    let inputs: [OpaquePointer]
    let array: [OpaquePointer]
    // Names without that of the client, in the order of the ports.
    let earNames: [String]
    let inputNames: [String]
    let arrayNames: [String]
    private let client: JACKClient
    private let byName: [String: OpaquePointer]

    init(_ client: JACKClient, listeners: Int, hasInput: Bool, microphones: Int) throws(DeviceError) {
        self.client = client
        let sides = ["left", "right"]
        earNames = (0..<listeners).flatMap { listener in sides.map { "listener-\(listener + 1)-\($0)" } }
        inputNames = hasInput ? sides.map { "input-\($0)" } : []
        arrayNames = (0..<microphones).map { "array-\($0 + 1)" }
        var byName: [String: OpaquePointer] = [:]
        func register(_ names: [String], _ direction: JackPortFlags) throws(DeviceError) -> [OpaquePointer] {
            var ports: [OpaquePointer] = []
            for name in names {
                let port = try client.register(name, direction)
                byName[name] = port
                ports.append(port)
            }
            return ports
        }
        ears = try register(earNames, JackPortIsOutput)
        inputs = try register(inputNames, JackPortIsInput)
        array = try register(arrayNames, JackPortIsInput)
        self.byName = byName
    }

    /// Whether something is connected to a port of the array.
    var isArrayConnected: Bool { array.contains { jack_port_connected($0) > 0 } }

    /// Whether something is connected to an ear: 0 for the left one of the first listener, 1 for its right one and so on.
    func isConnected(ear: Int) -> Bool { jack_port_connected(ears[ear]) > 0 }

    /// The connections of all ports; nil when the server has removed a port.
    func wires() -> Set<JACKConnections.Wire>? {
        var wires: Set<JACKConnections.Wire> = []
        for (name, port) in byName {
            guard let others = jack_port_get_all_connections(client.client, port) else { continue }
            defer { jack_free(others) }
            var count = 0
            while let other = others[count] {
                wires.insert(.init(port: name, other: String(cString: other)))
                count += 1
            }
        }
        // Checked after the connections were read, because ports are disconnected before they are removed.
        return byName.keys.allSatisfy { client.look("\(client.name):\($0)") != .absent } ? wires : nil
    }

    /// Has no effect when the server is busy or has the connection already.
    func connect(_ wire: JACKConnections.Wire) { change(wire, jack_connect) }

    func disconnect(_ wire: JACKConnections.Wire) { change(wire, jack_disconnect) }

    private func change(_ wire: JACKConnections.Wire, _ call: (OpaquePointer?, UnsafePointer<CChar>?, UnsafePointer<CChar>?) -> Int32) {
        guard let port = byName[wire.port] else { return }
        if UInt32(bitPattern: jack_port_flags(port)) & JackPortIsOutput.rawValue != 0 {
            _ = call(client.client, jack_port_name(port), wire.other)
        } else {
            _ = call(client.client, wire.other, jack_port_name(port))
        }
    }
}
