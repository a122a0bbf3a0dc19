/// Settings of HLS streams.
public struct HLSSettings: Sendable {
    /// Listeners that are encoded at once; 0 turns HLS off.
    public var listeners = 4
    /// Bits per second of either format.
    public var bitrate = 160_000

    public static let bitrates = 64_000...320_000
    public static let mostListeners = 64

    public init() {}
}
