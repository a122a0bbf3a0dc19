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
