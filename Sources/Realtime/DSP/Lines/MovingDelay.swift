internal import CRealtime

/// A delay line whose delay may change with every sample, as that of sound from a source that moves.
public struct MovingDelay: ~Copyable, Sendable {
    // SAFETY: owned by this value alone, which cannot be copied. A ring; its first samples are repeated behind its end.
    private nonisolated(unsafe) let line: UnsafeMutablePointer<Float>
    private let mask: Int
    private var written = 0
    /// Longest delay, samples.
    public let longest: Double

    /// - Parameters:
    ///   - longest: delay, samples.
    ///   - period: largest block, frames.
    public init(longest: Int, period: Int) {
        var length = 64
        while length < longest + period + 2 * SincTaps.count { length *= 2 }
        mask = length - 1
        self.longest = Double(longest)
        line = .allocateAligned(length + SincTaps.count)
    }

    deinit { line.deallocate() }

    /// Fills the line with silence.
    @_noLocks @_noAllocation
    public func clear() { rt_zero(line, mask &+ 1 &+ SincTaps.count) }

    /// Takes a block.
    @_noLocks @_noAllocation
    public mutating func write(_ samples: UnsafePointer<Float>, frames: Int) {
        var done = 0
        while done < frames {
            let place = written & mask
            let count = min(frames &- done, mask &+ 1 &- place)
            rt_copy(line + place, samples + done, count)
            if place < SincTaps.count { rt_copy(line + mask + 1 + place, line + place, min(count, SincTaps.count &- place)) }
            done = done &+ count
            written = written &+ count
        }
    }

    /// Reads the block that was written last, delayed.
    ///
    /// - Parameters:
    ///   - from, to: delay just before the first frame and at the last, samples; limited to what the line holds.
    @_noLocks @_noAllocation
    public func read(
        _ output: UnsafeMutablePointer<Float>, frames: Int, from: Double, to: Double, taps: borrowing SincTaps
    ) {
        let begin = limited(from)
        let step = (limited(to) - begin) / Double(frames)
        let first = written &- frames
        for i in 0..<frames {
            let delay = begin + step * Double(i &+ 1)
            let whole = Int(rt_signed(delay))
            output[i] = taps.value(line + ((first &+ i &- whole &- SincTaps.least) & mask), Float(delay - Double(whole)))
        }
    }

    @_noLocks @_noAllocation @inline(__always)
    private func limited(_ delay: Double) -> Double { max(Double(SincTaps.least), min(longest, delay)) }
}
