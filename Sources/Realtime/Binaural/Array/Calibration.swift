/// Corrections of each microphone's signal before all other processing, for capsules that differ, are inverted or are
/// dead.
///
/// A plain value, so that it can cross to the audio thread.
public struct Calibration: BitwiseCopyable, Sendable, Equatable {
    /// Gain factor of each channel: negative for an inverted capsule, 0 for a muted one.
    public private(set) var gains = InlineArray<64, Float>(repeating: 1)
    /// Delay of each channel in samples, with fractions, from 0 to ``ChannelTrim/longest``.
    public private(set) var delays = InlineArray<64, Float>(repeating: 0)
    /// Bit k is set when channel k is dead and its neighbours replace it.
    public private(set) var muted: UInt64 = 0

    /// Leaves every microphone unchanged.
    public init() {}

    /// - Parameters: one entry per channel from the first on; channels without an entry are left unchanged.
    /// - gains: factors, 0 or greater.
    /// - inverted: whether to invert the polarity.
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
