internal import CRealtime
internal import Crossing
internal import DSP

/// The crossfade between two recordings of the same microphones, with equal power: the previous one fades out while the current one fades
/// in.
struct RecordingBlend: ~Copyable, Sendable {
    // SAFETY: lent by the handover of the ``FeedPlayer`` that holds this value, which gives it back.
    private nonisolated(unsafe) var former: UnsafeMutablePointer<SceneFeed>?
    private var length: Float = 1
    /// Share of the crossfade that is over.
    private var share: Float = 0

    init() {}

    var isRunning: Bool { @_noLocks @_noAllocation get { former != nil } }

    @_noLocks @_noAllocation
    mutating func begin(_ former: UnsafeMutablePointer<SceneFeed>, frames: Int64) {
        (self.former, length, share) = (former, Float(max(1, frames)), 0)
    }

    /// Adds the previous recording to a block of the current one.
    ///
    /// - Parameter work: room for a block.
    /// - Returns: the previous feed when the crossfade is over.
    @_noLocks @_noAllocation
    mutating func mix(
        _ samples: UnsafeMutablePointer<Float>, work: UnsafeMutablePointer<Float>, channels: Int, frames: Int
    ) -> UnsafeMutablePointer<SceneFeed>? {
        guard let former else { return nil }
        let count = former.pointee.frames.read(work, frames: frames)
        rt_zero(work + count &* channels, (frames &- count) &* channels)
        let reached = min(1, share + Float(frames) / length)
        InterleavedFade.mix(
            samples, with: work, channels: channels, frames: frames, from: Self.gains(share), to: Self.gains(reached))
        share = reached
        return reached == 1 ? end() : nil
    }

    /// Ends the crossfade at once.
    /// - Returns: the previous feed.
    @_noLocks @_noAllocation
    mutating func end() -> UnsafeMutablePointer<SceneFeed>? {
        let ended = former
        former = nil
        return ended
    }

    /// Gains of the current and of the previous recording.
    @_noLocks @_noAllocation
    private static func gains(_ share: Float) -> SIMD2<Float> {
        share >= 1 ? SIMD2(1, 0) : SIMD2(rt_sin(share * .pi / 2), rt_cos(share * .pi / 2))
    }
}
