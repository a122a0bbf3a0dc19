internal import CJACK
internal import CRealtime

/// Connections of a client's ports. The ears, the live input and the live array are connected with the sound card once, and when a listener
/// gets other channels; from then on the connections are those of the user, which are restored when the client is opened again.
struct JACKPatch {
    private let client: JACKClient
    private let ports: JACKPorts
    private let outputs: OutputRoutes?
    private let array: JACKArrayPatch?
    private let wiring: JACKWiring
    private var connections: JACKConnections
    /// The card's outputs at the last check, in order.
    private var cards: [String] = []
    private var lookedAt: UInt64 = 0
    /// Changes of the server's connections and ports, as counted at the last check of the wires.
    private var changes = -1
    /// Missing outputs of listeners, and connections that wait for absent ports, in words; empty for none.
    private(set) var problem = ""
    /// Nanoseconds between two checks of the card.
    private static let interval: UInt64 = 100_000_000

    /// - Parameters:
    ///   - outputs: the card's outputs that listeners are connected to; nil for a client without listeners.
    ///   - wiring: the connections of the client that had its place before.
    init(_ client: JACKClient, _ ports: JACKPorts, outputs: OutputRoutes?, array: JACKArrayPatch?, wiring: JACKWiring) {
        (self.client, self.ports, self.outputs, self.array, self.wiring) = (client, ports, outputs, array, wiring)
        connections = wiring.connections(of: client.wanted)
        connections.begin()
    }

    /// Connects ports that have appeared, moves listeners to their current channels, and stores the connections that users have changed.
    /// - Returns: whether the card was checked, so that ``problem`` is new.
    mutating func turn(_ cycle: JACKCallbacks) -> Bool {
        let now = rt_now()
        let isLooking = now > lookedAt + Self.interval
        if isLooking {
            lookedAt = now
            look()
            if ports.isArrayConnected { cycle.hasArray.raise() } else { cycle.hasArray.lower() }
        }
        if let outputs {
            for (ear, port) in ports.earNames.enumerated() { route(port, to: Self.channel(ear, outputs), of: cards) }
        }
        guard isLooking || changes != cycle.changes else { return false }
        changes = cycle.changes
        // A server that ends, or removes the client, disconnects its ports, which must not count as a user's change.
        guard let present = ports.wires(), !cycle.hasEnded else { return false }
        for wire in connections.follow(present, now: now, look: client.look) { ports.connect(wire) }
        wiring.keep(connections, of: client.wanted)
        guard isLooking else { return false }
        problem = [missing(), waiting()].filter { !$0.isEmpty }.joined(separator: " ")
        return true
    }

    private mutating func look() {
        if outputs != nil { cards = client.physicalPorts(JackPortIsInput) }
        if !ports.inputs.isEmpty {
            let sources = client.physicalPorts(JackPortIsOutput)
            // The first two inputs of the card, a single one on both sides.
            let pair = sources.count == 1 ? [sources[0], sources[0]] : sources
            for (input, port) in ports.inputNames.enumerated() { route(port, to: input + 1, of: pair) }
        }
        if let array {
            let sources = client.sources(array.source)
            for (port, channel) in zip(ports.arrayNames, array.channels) { route(port, to: channel, of: sources) }
        }
    }

    private mutating func route(_ port: String, to channel: Int?, of others: [String]) {
        let (old, new) = connections.route(port, to: channel, of: others)
        if let old { ports.disconnect(old) }
        if let new { ports.connect(new) }
        // The next turn checks the wires, also for one that could not be made because the server was busy.
        if old != nil || new != nil { changes = -1 }
    }

    /// The channel of an ear, counted from 1; nil for a listener that is not heard.
    private static func channel(_ ear: Int, _ outputs: OutputRoutes) -> Int? {
        outputs[ear / 2].map { ear % 2 == 0 ? $0.left : $0.right }
    }

    private func missing() -> String {
        guard let outputs else { return "" }
        let missing = ports.ears.indices.compactMap { ear in
            Self.channel(ear, outputs).flatMap { $0 > cards.count && !ports.isConnected(ear: ear) ? $0 : nil }
        }
        let channels = Set(missing).sorted().map(String.init)
        guard let first = channels.first else { return "" }
        let named = channels.count == 1 ? "output \(first)" : "outputs \(channels.joined(separator: ", "))"
        return "The sound card of the JACK server has no \(named): it has \(counted(cards.count, "output")) now. They are connected when "
            + "they appear; otherwise choose others in /listener/N/output."
    }

    private func waiting() -> String {
        let wires = connections.waiting(look: client.look)
        guard !wires.isEmpty else { return "" }
        let named = wires.prefix(8).map { "\($0.port) with \($0.other)" }
        let more = wires.count > named.count ? [counted(wires.count - named.count, "further one")] : []
        return
            "JACK connections are not restored because their other ports are absent: \((named + more).joined(separator: ", ")). They are "
            + "made when these ports appear, unless the engine's port is connected with the sound card or disconnected before."
    }
}

/// The sources that the ports of a live array are connected to.
struct JACKArrayPatch {
    /// The channels of the microphones.
    let channels: [Int]
    /// The client that has them; nil for the server's sound card.
    let source: String?

    /// - Parameter isWaiting: whether sources may come later.
    /// - Throws: ``DeviceError`` when the source does not have these channels.
    init(_ client: JACKClient, _ array: DeviceArray, isWaiting: Bool) throws(DeviceError) {
        source = array.client
        let sources = client.sources(source)
        if let wanted = array.channels, isWaiting || wanted.numbers.allSatisfy({ $0 <= sources.count }) {
            channels = wanted.numbers
            return
        }
        let place = source.map { "The JACK client \"\($0)\"" } ?? "The sound card of the JACK server"
        guard !sources.isEmpty else {
            throw DeviceError(
                "\(place) has no outputs to record an array from. Clients with outputs: "
                    + "\(client.sourceClients.joined(separator: ", ")).", isAbsence: source != nil)
        }
        if let wanted = array.channels {
            throw DeviceError(
                "\(place) has no channel \(wanted.numbers.max() ?? 0): it has \(sources.count). Name channels from 1 to \(sources.count) "
                    + "with --array-channels.")
        }
        guard ArrayChannels.counts.contains(sources.count) else {
            throw DeviceError(
                "\(place) has \(counted(sources.count, "channel")), an array 4 to 64. "
                    + (sources.count > 64 ? "Choose some of them with --array-channels." : "Choose another source."))
        }
        channels = Array(1...sources.count)
    }
}
