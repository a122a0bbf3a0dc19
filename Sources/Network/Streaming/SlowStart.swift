/// Limit of packets on their way: after a late packet it begins at one, and doubles with each full window that has arrived.
public struct SlowStart: Sendable {
    /// Milliseconds for which a receiver may delay the confirmation of received packets.
    public static let heldBack = 45.0

    private var window: Double?
    private var arrived = 0.0

    public init() {}

    /// Whether the limit is lower than usual.
    public var isSlow: Bool { window != nil }

    /// Packets that may be on their way.
    ///
    /// - Parameters:
    ///   - roundTrip: shortest known, milliseconds.
    ///   - milliseconds: length of a packet.
    ///   - together: packets that are sent together.
    public func limit(roundTrip: Double, milliseconds: Int, together: Int = 1) -> Int {
        let usual = ((roundTrip + Self.heldBack) / Double(max(1, milliseconds))).rounded(.up) + Double(together)
        return Int(clamping: min(usual, max(Double(together), window ?? usual)))
    }

    /// Notes a packet that came too late, or that could not be sent.
    public mutating func late() {
        window = 1
        arrived = 0
    }

    /// Notes that packets have arrived.
    /// - Parameter usual: limit at which the start is over.
    public mutating func arrive(_ packets: Int, usual: Int) {
        guard let window, packets > 0 else { return }
        arrived += Double(packets)
        guard arrived >= window else { return }
        arrived = 0
        self.window = window * 2 >= Double(usual) ? nil : window * 2
    }
}
