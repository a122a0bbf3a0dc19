internal import CJACK
internal import CRealtime

/// Connections of the ears and of the live input with the sound card: made when a port of the card appears or a listener gets other
/// channels, and not again after a user has changed them.
struct JACKPatch {
    private let client: JACKClient
    private let ports: JACKPorts
    private let outputs: OutputRoutes
    /// The card's outputs at the last check, in order.
    private var cards: [String] = []
    /// The card's input that each port of the live input was connected to last; nil for none.
    private var fed: [String?]
    /// The output that each ear was connected to last; nil for none.
    private var connected: [String?]
    private var lookedAt: UInt64 = 0
    /// Missing outputs of listeners, in words; empty for none.
    private(set) var problem = ""
    /// Nanoseconds between two checks of the card.
    private static let interval: UInt64 = 100_000_000

    init(_ client: JACKClient, _ ports: JACKPorts, _ outputs: OutputRoutes) {
        (self.client, self.ports, self.outputs) = (client, ports, outputs)
        connected = Array(repeating: nil, count: 2 * outputs.listeners)
        fed = Array(repeating: nil, count: ports.inputs.count)
    }

    /// Connects what has appeared, and follows the listeners to their channels.
    /// - Returns: whether the card was checked, so that ``problem`` is new.
    mutating func turn() -> Bool {
        let isLooking = rt_now() > lookedAt + Self.interval
        if isLooking { look() }
        for ear in connected.indices { follow(ear) }
        if isLooking { problem = missing() }
        return isLooking
    }

    private mutating func look() {
        lookedAt = rt_now()
        cards = client.physicalPorts(JackPortIsInput)
        // A port that has left is connected again when it returns.
        for ear in connected.indices where connected[ear].map({ !cards.contains($0) }) ?? false { connected[ear] = nil }
        let sources = client.physicalPorts(JackPortIsOutput)
        for input in fed.indices {
            // The first two inputs of the card, a single one on both sides.
            let wanted = sources.isEmpty ? nil : sources[min(input, sources.count - 1)]
            guard wanted != fed[input] else { continue }
            if let old = fed[input], sources.contains(old) { ports.disconnect(input: input, old) }
            fed[input] = wanted
            if let wanted { ports.connect(input: input, wanted) }
        }
    }

    /// The channel of an ear, counted from 1; nil for a listener that is not heard.
    private func channel(_ ear: Int) -> Int? { outputs[ear / 2].map { ear % 2 == 0 ? $0.left : $0.right } }

    private mutating func follow(_ ear: Int) {
        let wanted = channel(ear).flatMap { $0 <= cards.count ? cards[$0 - 1] : nil }
        guard wanted != connected[ear] else { return }
        if let old = connected[ear] { ports.disconnect(ear: ear, old) }
        connected[ear] = nil
        if let wanted, ports.connect(ear: ear, wanted) { connected[ear] = wanted }
    }

    private func missing() -> String {
        let missing = connected.indices.filter { ear in
            (channel(ear) ?? 0) > cards.count && !ports.isConnected(ear: ear)
        }
        let channels = Set(missing.compactMap(channel)).sorted().map(String.init)
        guard let first = channels.first else { return "" }
        let named = channels.count == 1 ? "output \(first)" : "outputs \(channels.joined(separator: ", "))"
        return "The sound card of the JACK server has no \(named): it has \(counted(cards.count, "output")) now. They are connected when "
            + "they appear; otherwise choose others in /listener/N/output."
    }
}
