/// What is done to each microphone's signal before anything else: capsules differ, and some come inverted or die.
///
/// A plain value, so that it can cross to the audio thread.
public struct Calibration: BitwiseCopyable, Sendable, Equatable {
    /// Factors, one per channel: negative for an inverted capsule, 0 for a muted one.
    public private(set) var gains = InlineArray<64, Float>(repeating: 1)
    /// Samples, fractions as well, from 0 to ``ChannelTrim/longest``; one per channel.
    public private(set) var delays = InlineArray<64, Float>(repeating: 0)
    /// Bit k: channel k is dead, and its neighbours stand in for it.
    public private(set) var muted: UInt64 = 0

    /// Every microphone as it is.
    public init() {}

    /// - Parameters: one entry per channel from the first on; channels without one are left as they are.
    ///   - gains: factors, 0 and more.
    ///   - inverted: whether the polarity is turned over.
    ///   - muted: whether the microphone is dead.
    ///   - delays: samples.
    public init(gains: [Float] = [], inverted: [Bool] = [], muted: [Bool] = [], delays: [Float] = []) {
        for (i, gain) in gains.prefix(64).enumerated() { self.gains[i] = gain }
        for (i, isInverted) in inverted.prefix(64).enumerated() where isInverted { self.gains[i] = -self.gains[i] }
        for (i, isMuted) in muted.prefix(64).enumerated() where isMuted {
            self.gains[i] = 0
            self.muted |= 1 << UInt64(i)
        }
        for (i, delay) in delays.prefix(64).enumerated() { self.delays[i] = delay }
    }

    @_noLocks @_noAllocation
    public func isMuted(_ channel: Int) -> Bool { muted & (1 << UInt64(truncatingIfNeeded: channel)) != 0 }

    public static func == (a: Calibration, b: Calibration) -> Bool {
        a.muted == b.muted && (0..<64).allSatisfy { a.gains[$0] == b.gains[$0] && a.delays[$0] == b.delays[$0] }
    }
}
