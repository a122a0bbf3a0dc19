internal import CRealtime
internal import DSP

/// Turns the phases of the partials of a spectrum by as much as they advance in a longer or shorter hop.
///
/// Identity phase locking (Laroche and Dolson, "Improved phase vocoder time-scale modification of audio", IEEE Trans.
/// Speech Audio Proc. 1999): every local maximum of the spectrum is a partial, and all bins up to the minima beside it
/// turn with it. Both sides turn alike, which keeps the stereo image.
struct PartialRotation: ~Copyable, Sendable {
    private let bins: Int
    /// Samples in a frame, a power of two.
    private let length: Int
    private let power: Row
    private let leftBefore: Row
    private let rightBefore: Row
    /// Turns of each bin.
    private let turns: Row
    // SAFETY: rows of `bins` numbers, owned by this value alone, which cannot be copied: the bin of each partial, and the
    // first bin that turns with it.
    private nonisolated(unsafe) let peaks: UnsafeMutablePointer<Int32>
    private nonisolated(unsafe) let starts: UnsafeMutablePointer<Int32>
    private var count = 0

    init(length: Int) {
        self.length = length
        bins = length / 2 + 1
        power = Row(bins)
        leftBefore = Row(2 * bins)
        rightBefore = Row(2 * bins)
        turns = Row(bins)
        peaks = .allocate(capacity: bins + 1)
        peaks.initialize(repeating: 0, count: bins + 1)
        starts = .allocate(capacity: bins + 1)
        starts.initialize(repeating: 0, count: bins + 1)
    }

    deinit {
        peaks.deallocate()
        starts.deallocate()
    }

    /// Power of each bin, the sum of both sides.
    var powers: UnsafeMutablePointer<Float> { @_noLocks @_noAllocation get { power.samples } }

    @_noLocks @_noAllocation
    mutating func reset() {
        leftBefore.clear()
        rightBefore.clear()
        turns.clear()
        count = 0
    }

    /// Finds the partials of a frame, and how far they turn.
    ///
    /// - Parameters:
    ///   - hop: samples between this frame and the last one.
    ///   - stretched: samples between the same frames in the output before it is resampled.
    ///   - isReset: whether the frame keeps its phases.
    @_noLocks @_noAllocation
    mutating func find(
        _ left: UnsafePointer<Float>, _ right: UnsafePointer<Float>, hop: Int, stretched: Double, isReset: Bool
    ) {
        for k in 0..<bins {
            let (a, b) = (left[2 &* k], left[2 &* k &+ 1])
            let (c, d) = (right[2 &* k], right[2 &* k &+ 1])
            power.samples[k] = a * a + b * b + c * c + d * d
        }
        count = 0
        if isReset {
            turns.clear()
        } else {
            findPeaks()
            for i in 0..<count {
                let turn = turn(Int(peaks[i]), left, right, hop: hop, stretched: stretched)
                for k in Int(starts[i])..<Int(starts[i &+ 1]) { turns.samples[k] = turn }
            }
        }
        rt_copy(leftBefore.samples, left, 2 &* bins)
        rt_copy(rightBefore.samples, right, 2 &* bins)
    }

    @_noLocks @_noAllocation
    private mutating func findPeaks() {
        let power = power.samples
        starts[0] = 0
        // Lowest bin since the last partial.
        var lowest = 0
        for k in 2..<bins &- 2 {
            if power[k] < power[lowest] { lowest = k }
            guard power[k] > power[k &- 1], power[k] >= power[k &+ 1], power[k] > power[k &- 2], power[k] >= power[k &+ 2]
            else { continue }
            peaks[count] = Int32(truncatingIfNeeded: k)
            if count > 0 { starts[count] = Int32(truncatingIfNeeded: lowest) }
            count = count &+ 1
            lowest = k
        }
        starts[count] = Int32(truncatingIfNeeded: bins)
    }

    /// Returns the turn of a partial: that of its bin before, and the difference between the two hops at its frequency.
    @_noLocks @_noAllocation
    private func turn(
        _ k: Int, _ left: UnsafePointer<Float>, _ right: UnsafePointer<Float>, hop: Int, stretched: Double
    ) -> Float {
        let (from, other) = (leftBefore.samples + 2 &* k, rightBefore.samples + 2 &* k)
        let (to, another) = (left + 2 &* k, right + 2 &* k)
        let real = to[0] * from[0] + to[1] * from[1] + another[0] * other[0] + another[1] * other[1]
        let imaginary = to[1] * from[0] - to[0] * from[1] + another[1] * other[0] - another[0] * other[1]
        let angles = ArcTangent.angles(y: SIMD2(imaginary, 0), x: SIMD2(real, 0))
        let advance = Double(angles[0]) * 0.15915494309189535
        let expected = Double((k &* hop) & (length &- 1)) / Double(length)
        let frequency = Double(k) / Double(length) + Self.fold(advance - expected) / Double(hop)
        return Float(Self.fold(Double(turns.samples[k]) + frequency * (stretched - Double(hop))))
    }

    /// Fractional part of turns, -0.5 to 0.5.
    @_noLocks @_noAllocation
    private static func fold(_ turns: Double) -> Double { turns - Double(rt_signed(turns + (turns < 0 ? -0.5 : 0.5))) }

    /// Turns the partials of one side, in place.
    @_noLocks @_noAllocation
    func apply(_ spectrum: UnsafeMutablePointer<Float>) {
        for i in 0..<count {
            let from = Int(starts[i])
            var (sine, cosine): (Float, Float) = (0, 1)
            rt_sine_cosine_turns(turns.samples[from], &sine, &cosine)
            for k in from..<Int(starts[i &+ 1]) {
                let (re, im) = (spectrum[2 &* k], spectrum[2 &* k &+ 1])
                spectrum[2 &* k] = re * cosine - im * sine
                spectrum[2 &* k &+ 1] = re * sine + im * cosine
            }
        }
    }
}
