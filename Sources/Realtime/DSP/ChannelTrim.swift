internal import CRealtime

/// Gain, polarity and delay of up to 64 interleaved channels, in place; gain changes are ramped and delay changes
/// crossfaded.
///
/// Has no cost while no channel is changed. A fractional delay is interpolated between four samples (Lagrange, third
/// order: in the worst case of half a sample, -0.5 dB at 10 kHz and -3.3 dB at 16 kHz, 48 kHz), below one sample
/// between two.
public struct ChannelTrim: ~Copyable, Sendable {
    /// Longest delay, samples.
    public static var longest: Float { @_noLocks @_noAllocation @inlinable get { 240 } }
    /// Duration of the crossfade to other delays, seconds.
    static var fade: Float { @_noLocks @_noAllocation get { SmoothingTime.crossfade } }
    private static let channels = 64
    /// Frames of history that are kept.
    private static var past: Int { @_noLocks @_noAllocation get { 256 } }

    // SAFETY: the five are owned by this value alone, which cannot be copied. Present and target gain per channel.
    private nonisolated(unsafe) let gain: UnsafeMutablePointer<Float>
    // SAFETY: as above.
    private nonisolated(unsafe) let gainWanted: UnsafeMutablePointer<Float>
    // SAFETY: as above. Audible delay, delay that is being faded in, and target delay, samples per channel.
    private nonisolated(unsafe) let delay: UnsafeMutablePointer<Float>
    // SAFETY: as above.
    private nonisolated(unsafe) let delayNext: UnsafeMutablePointer<Float>
    // SAFETY: as above.
    private nonisolated(unsafe) let delayWanted: UnsafeMutablePointer<Float>
    /// History and current block of each channel, one row after the other.
    // SAFETY: as above.
    private nonisolated(unsafe) let rows: UnsafeMutablePointer<Float>
    private let stride: Int
    private var isChanging = false
    private var isDelaying = false
    /// Frames of history that are available.
    private var filled = 0
    /// Share of `delayNext` in the output.
    private var share: Float = 1

    /// - Parameter period: largest block, frames.
    public init(period: Int) {
        stride = Self.past + period + 16
        gain = .allocate(capacity: 5 * Self.channels)
        gain.initialize(repeating: 0, count: 5 * Self.channels)
        gainWanted = gain + Self.channels
        delay = gain + 2 * Self.channels
        delayNext = gain + 3 * Self.channels
        delayWanted = gain + 4 * Self.channels
        for channel in 0..<Self.channels { (gain[channel], gainWanted[channel]) = (1, 1) }
        rows = .allocate(capacity: Self.channels * stride)
        rows.initialize(repeating: 0, count: Self.channels * stride)
    }

    deinit {
        gain.deallocate()
        rows.deallocate()
    }

    /// Sets the targets of one channel.
    ///
    /// - Parameters:
    ///   - gain: a factor; negative inverts the polarity.
    ///   - delay: samples, 0 to ``longest``.
    @_noLocks @_noAllocation
    public mutating func set(_ channel: Int, gain: Float, delay: Float) {
        gainWanted[channel] = gain
        delayWanted[channel] = min(max(delay, 0), Self.longest)
        if gain != 1 { isChanging = true }
        if delay != 0 { isDelaying = true }
    }

    /// Applies all targets at once and clears the history, for an unrelated signal.
    @_noLocks @_noAllocation
    public mutating func settle() {
        rt_copy(gain, gainWanted, Self.channels)
        rt_copy(delay, delayWanted, Self.channels)
        rt_copy(delayNext, delayWanted, Self.channels)
        rt_zero(rows, Self.channels &* stride)
        share = 1
        filled = Self.past
    }

    /// - Parameters:
    ///   - samples: interleaved, `channels` apart.
    ///   - gainShare: share of the distance to its target that a gain covers in this block.
    ///   - seconds: duration of the block.
    @_noLocks @_noAllocation
    public mutating func process(
        _ samples: UnsafeMutablePointer<Float>, channels: Int, frames: Int, gainShare: Float, seconds: Float
    ) {
        if isDelaying { process(delaysOf: samples, channels, frames, seconds) }
        guard isChanging else { return }
        var isNeutral = true
        for channel in 0..<channels {
            let from = gain[channel]
            let to = Smoother.next(from, to: gainWanted[channel], share: gainShare, tolerance: 1e-5)
            gain[channel] = to
            if from == 1, to == 1 { continue }
            isNeutral = false
            let ramp = Ramp(from: from, to: to, frames: frames)
            for frame in 0..<frames { samples[frame &* channels &+ channel] *= ramp.value(at: frame) }
        }
        if isNeutral { isChanging = false }
    }

    @_noLocks @_noAllocation
    private mutating func process(
        delaysOf samples: UnsafeMutablePointer<Float>, _ channels: Int, _ frames: Int, _ seconds: Float
    ) {
        if share == 1 { beginFade(channels) }
        // A delay can be faded in once its history is complete.
        let from = share
        if share < 1, filled >= Self.past { share = min(1, share + seconds / Self.fade) }
        filled = min(Self.past, filled &+ frames)
        let shares = Ramp(from: from, to: share, frames: frames)
        var isNeutral = share == 1
        for channel in 0..<channels {
            let row = rows + channel &* stride
            let now = row + Self.past
            for frame in 0..<frames { now[frame] = samples[frame &* channels &+ channel] }
            let (old, new) = (delay[channel], delayNext[channel])
            if old != 0 || new != 0 {
                isNeutral = false
                let (a, b) = (Tap(delay: old), Tap(delay: new))
                for frame in 0..<frames {
                    let x = b.value(now + frame)
                    let part = shares.value(at: frame)
                    samples[frame &* channels &+ channel] = from == 1 ? x : a.value(now + frame) * (1 - part) + x * part
                }
            }
            rt_move(row, row + frames, Self.past)
        }
        if isNeutral {
            isDelaying = false
            filled = 0
        }
    }

    /// Starts the next crossfade when the previous one has ended.
    @_noLocks @_noAllocation
    private mutating func beginFade(_ channels: Int) {
        rt_copy(delay, delayNext, Self.channels)
        for channel in 0..<channels where delayWanted[channel] != delay[channel] { share = 0 }
        if share == 0 { rt_copy(delayNext, delayWanted, Self.channels) }
    }

    /// Four adjacent samples and their weights.
    private struct Tap: BitwiseCopyable {
        let first: Int
        let weights: SIMD4<Float>

        @_noLocks @_noAllocation
        init(delay: Float) {
            let whole = Int(clamping: delay)
            let d = delay - Float(whole)
            if whole == 0 {
                first = 0
                weights = SIMD4(1 - d, d, 0, 0)
            } else {
                // Lagrange's polynomials through the samples at -1, 0, 1, 2.
                first = whole &- 1
                weights = SIMD4(
                    -d * (d - 1) * (d - 2) / 6, (d + 1) * (d - 1) * (d - 2) / 2, -(d + 1) * d * (d - 2) / 2,
                    (d + 1) * d * (d - 1) / 6)
            }
        }

        @_noLocks @_noAllocation
        func value(_ now: UnsafePointer<Float>) -> Float {
            let at = now - first
            return weights[0] * at[0] + weights[1] * at[-1] + weights[2] * at[-2] + weights[3] * at[-3]
        }
    }
}
