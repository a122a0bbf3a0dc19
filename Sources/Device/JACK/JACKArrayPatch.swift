internal import CRealtime

/// Connections of a live array's ports with its microphones, made when a source appears and not again after a user has changed them.
struct JACKArrayPatch {
    /// The channels of the microphones.
    let channels: [Int]
    private let source: String?
    private let client: JACKClient
    private var known: Set<String> = []
    private var lookedAt: UInt64 = 0
    /// Nanoseconds between two checks of the ports.
    private static let interval: UInt64 = 100_000_000

    /// - Parameter isWaiting: whether sources may come later.
    /// - Throws: ``DeviceError`` when the source does not have these channels.
    init(_ client: JACKClient, _ array: DeviceArray, isWaiting: Bool) throws(DeviceError) {
        self.client = client
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
                    + "\(client.sourceClients.joined(separator: ", ")).")
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

    /// Connects what has appeared since the last check.
    mutating func turn(_ ports: JACKPorts, _ cycle: JACKCallbacks) {
        guard rt_now() > lookedAt + Self.interval else { return }
        lookedAt = rt_now()
        let sources = client.sources(source)
        for (microphone, channel) in channels.enumerated() where channel <= sources.count && !known.contains(sources[channel - 1]) {
            ports.connect(microphone: microphone, sources[channel - 1])
        }
        known = Set(sources)
        if ports.isArrayConnected { cycle.hasArray.raise() } else { cycle.hasArray.lower() }
    }
}
