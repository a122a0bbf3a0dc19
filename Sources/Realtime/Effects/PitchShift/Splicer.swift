internal import CRealtime
internal import DSP

/// Range and jumps of the reader of ``PitchShift``.
struct Splicer: BitwiseCopyable, Sendable {
    /// Samples: the smallest delay after a jump, the delay beyond which the reader jumps forwards, and the length of
    /// the lines.
    let nearest: Int
    let farthest: Int
    let longest: Int
    /// Typical position of the reader: between the nearest one and a medium jump behind it.
    let middle: Int
    private let shortestJump: Int
    private let longestJump: Int
    /// Number of compared samples, a multiple of 64.
    private let window: Int

    init(rate: Float) {
        shortestJump = Int(clamping: rate * 0.010)
        longestJump = Int(clamping: rate * 0.028)
        window = max(64, Int(clamping: rate * 0.008) / 64 * 64)
        nearest = Int(clamping: rate * 0.002) + 16
        middle = nearest + (shortestJump + longestJump) / 4
        farthest = nearest + longestJump + 32
        // The compared sound lies before a position one jump beyond the farthest; at up to two octaves upwards, the
        // reader also needs room for its crossfade.
        longest = farthest + longestJump + 2 * window + Int(clamping: rate * 0.012) + 256
    }

    /// Length of a crossfade in frames: 8 ms, or half the duration of the shortest jump.
    @_noLocks @_noAllocation
    func fade(drift: Double) -> Int {
        let lasting = Double(shortestJump) / max(0.001, abs(drift))
        return max(32, min(window, Int(clamping: 0.5 * lasting)))
    }

    /// Length of a jump in samples, positive into the past.
    ///
    /// The sound that was just read is compared with the sound before every other position: first at a quarter of the
    /// rate, then around the best position, then by a parabola through the best three.
    @_noLocks @_noAllocation
    func jump(
        from delay: Double, backwards: Bool, _ left: borrowing DelayLine, _ right: borrowing DelayLine,
        _ decimated: borrowing DecimatedMix
    ) -> Double {
        let place = Int(clamping: delay)
        let direction = backwards ? 1 : -1
        let farthestJump = backwards ? longestJump : min(longestJump, place &- nearest)
        var best = shortestJump / 4
        var bestScore: Float = -1e30
        var lag = shortestJump / 4
        while lag <= farthestJump / 4 {
            let score = likeness(decimated, place / 4 &+ 1, lag &* direction)
            if score > bestScore {
                bestScore = score
                best = lag
            }
            lag = lag &+ 1
        }
        let middle = max(shortestJump, min(farthestJump, 4 &* best))
        best = middle
        bestScore = -1e30
        lag = middle &- 4
        while lag <= middle &+ 4 {
            let score = likeness(left, right, place, lag &* direction)
            if score > bestScore {
                bestScore = score
                best = lag
            }
            lag = lag &+ 1
        }
        let before = likeness(left, right, place, (best &- 1) &* direction)
        let after = likeness(left, right, place, (best &+ 1) &* direction)
        let bend = before - 2 * bestScore + after
        let fraction = bend < -1e-12 ? max(-0.5, min(0.5, 0.5 * (before - after) / bend)) : 0
        return Double(direction) * (Double(best) + Double(fraction))
    }

    /// Correlation, independent of the level of the compared sound.
    @_noLocks @_noAllocation
    private func likeness(_ decimated: borrowing DecimatedMix, _ place: Int, _ lag: Int) -> Float {
        var product = Lanes.zero
        var energy = Lanes.zero
        var n = 0
        while n < window / 4 {
            let a = decimated.read(place &+ window / 4 &- n)
            let b = decimated.read(place &+ window / 4 &+ lag &- n)
            product = rt_fma16(a, b, product)
            energy = rt_fma16(b, b, energy)
            n = n &+ laneCount
        }
        return rt_sum16(product) / rt_sqrt(rt_sum16(energy) + 1e-12)
    }

    @_noLocks @_noAllocation
    private func likeness(_ left: borrowing DelayLine, _ right: borrowing DelayLine, _ place: Int, _ lag: Int) -> Float {
        var product = Lanes.zero
        var energy = Lanes.zero
        var n = 0
        while n < window {
            let (a, b) = (left.read(place &+ window &- n), left.read(place &+ window &+ lag &- n))
            let (c, d) = (right.read(place &+ window &- n), right.read(place &+ window &+ lag &- n))
            product = rt_fma16(a, b, rt_fma16(c, d, product))
            energy = rt_fma16(b, b, rt_fma16(d, d, energy))
            n = n &+ laneCount
        }
        return rt_sum16(product) / rt_sqrt(rt_sum16(energy) + 1e-12)
    }
}
