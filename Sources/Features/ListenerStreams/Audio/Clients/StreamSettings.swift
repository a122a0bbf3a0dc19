/// Defaults of the server for clients that ask for an adaptive stream and no more.
public struct StreamSettings: Equatable, Sendable {
    /// Highest and lowest bits per second.
    public var bitrate = 128_000
    public var lowestBitrate = 32_000
    /// Shortest and longest packet, milliseconds.
    public var milliseconds = 10
    public var longest = 20
    public var isAdaptive = true
    /// Milliseconds from the engine's sample to the sound of all clients of the group; 0 when each plays as early as it can.
    public var group = 0.0
    /// Delay of the listeners in groups, by the listener's number from 1.
    public var groups: [Int: Double] = [:]

    public init() {}

    /// Milliseconds of delay of the group that a listener belongs to.
    func group(of listener: Int) -> Double { groups[listener] ?? group }
}
