internal import CRealtime

/// As ``RangeGuard``, for up to 64 interleaved channels that are faded together.
public struct FrameGuard: ~Copyable, Sendable {
    private static var channels: Int { @_noLocks @_noAllocation get { 64 } }

    private let step: Float
    // SAFETY: two parts of one allocation that is owned by this value alone, which cannot be copied. The last frame that was
    // let through.
    private nonisolated(unsafe) let last: UnsafeMutablePointer<Float>
    // SAFETY: as above. The frame that is fading out.
    private nonisolated(unsafe) let held: UnsafeMutablePointer<Float>
    private var heldShare: Float = 0
    private var share: Float = 1

    /// - Parameter rate: frames per second.
    public init(rate: Float) {
        step = 1 / (RangeGuard.fade * rate)
        last = .allocateAligned(2 * (Self.channels + laneCount))
        held = last + (Self.channels + laneCount)
    }

    deinit { last.deallocate() }

    /// Lets a block through, or replaces it.
    ///
    /// - Parameters:
    ///   - samples: interleaved, `channels` apart, readable 15 samples past the end.
    ///   - energies: sums of squares of each channel over this block at least, with room for whole lanes.
    /// - Returns: what is known of the block; a block that is not plausible was replaced.
    @_noLocks @_noAllocation
    public mutating func admit(
        _ samples: UnsafeMutablePointer<Float>, channels: Int, frames: Int, energies: UnsafePointer<Float>
    ) -> SoundRange.Verdict {
        guard Self.sum(energies, channels) < SoundRange.energy, share == 1, heldShare == 0 else {
            return look(samples, channels, frames)
        }
        keep(samples, channels, frames)
        return .plausible
    }

    @_noLocks @_noAllocation @inline(__always)
    private static func sum(_ energies: UnsafePointer<Float>, _ channels: Int) -> Float {
        var sum = Lanes.zero
        var channel = 0
        while channel < channels {
            // Lanes past the channels hold other frames, which may be of another block.
            let rest = rt_all16(Float(channels &- channel) + 0.5)
            sum = rt_add16(sum, rt_select_less16(Ramp.count, rest, energies.lanes(channel), .zero))
            channel = channel &+ laneCount
        }
        return rt_sum16(sum)
    }

    @_noLocks @_noAllocation @inline(__always)
    private func keep(_ samples: UnsafeMutablePointer<Float>, _ channels: Int, _ frames: Int) {
        rt_copy(last, samples + (frames &- 1) &* channels, channels)
    }

    @_noLocks @_noAllocation @inline(never)
    private mutating func look(
        _ samples: UnsafeMutablePointer<Float>, _ channels: Int, _ frames: Int
    ) -> SoundRange.Verdict {
        let verdict = SoundRange.judge(samples, count: frames &* channels)
        if !verdict.isPlausible {
            rt_copy(held, last, channels)
            (heldShare, share) = (1, 0)
            rt_zero(samples, frames &* channels)
        }
        var at = 0
        for _ in 0..<frames {
            heldShare = Ramp.approach(0, from: heldShare, step: step)
            if verdict.isPlausible { share = Ramp.approach(1, from: share, step: step) }
            for channel in 0..<channels { samples[at &+ channel] = samples[at &+ channel] * share + held[channel] * heldShare }
            at = at &+ channels
        }
        keep(samples, channels, frames)
        return verdict
    }
}
