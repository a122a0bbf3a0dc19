internal import CRealtime
internal import DSP

/// Spectral envelope of a frame through its strongest partials, and the gains that keep it in place when the partials move.
///
/// Partials are local maxima within 50 Hz that are at most 36 dB below the strongest within 250 Hz, so that sound between the harmonics of
/// a voice does not count. Between them the envelope has the resonances of ``AllPoleFit``, whose differences to the partials are
/// interpolated. The power stays the same.
struct SpectralEnvelope: ~Copyable, Sendable {
    private let bins: Int
    /// Bins in 50 Hz and in 250 Hz.
    private let near: Int
    private let far: Int
    /// Binary logarithms of the envelope's power, and the gain of each bin.
    private let levels: Row
    private let gains: Row
    private let work: Row
    /// Places of the partials in bins, and their levels.
    private let places: Row
    private let heights: Row
    private var resonances: AllPoleFit

    init(rate: Float, length: Int) {
        bins = length / 2 + 1
        near = max(2, Int(clamping: 50 * Float(length) / rate))
        far = 5 * near
        levels = Row(bins + 16)
        gains = Row(bins + 16)
        work = Row(bins + 16)
        places = Row(bins)
        heights = Row(bins)
        resonances = AllPoleFit(rate: rate, length: length)
    }

    /// Computes the gains of a frame.
    ///
    /// - Parameters:
    ///   - power: power of each bin.
    ///   - ratio: frequency ratio of the shift.
    @_noLocks @_noAllocation
    mutating func find(_ power: UnsafePointer<Float>, ratio: Float) {
        findLevels(power)
        let (levels, gains) = (levels.samples, gains.samples)
        // Gains of 30 dB at most: the square root of the ratio of powers.
        let limit = rt_all16(5)
        for k in 0..<bins {
            let place = min(Float(bins &- 1), Float(k) * ratio)
            let whole = min(bins &- 2, Int(clamping: place))
            let level = levels[whole] + (place - Float(whole)) * (levels[whole &+ 1] - levels[whole])
            gains[k] = 0.5 * (level - levels[k])
        }
        var (before, after) = (Float(1e-20), Float(1e-20))
        var k = 0
        while k < bins {
            gains.setLanes(k, rt_exp2_16(rt_max16(rt_min16(gains.lanes(k), limit), -limit)))
            k = k &+ laneCount
        }
        let heard = min(bins, Int(clamping: Float(bins) / max(1, ratio)))
        for k in 0..<heard {
            before += power[k]
            after += power[k] * gains[k] * gains[k]
        }
        let scale = rt_sqrt(before / after)
        for k in 0..<bins { gains[k] *= scale }
    }

    @_noLocks @_noAllocation
    func apply(_ spectrum: UnsafeMutablePointer<Float>) {
        for k in 0..<bins {
            spectrum[2 &* k] *= gains.samples[k]
            spectrum[2 &* k &+ 1] *= gains.samples[k]
        }
    }

    /// Finds the levels of all bins.
    @_noLocks @_noAllocation
    private mutating func findLevels(_ power: UnsafePointer<Float>) {
        largest(power, near, into: work.samples)
        largest(power, far, into: gains.samples)
        let (places, heights, levels) = (places.samples, heights.samples, levels.samples)
        var count = 0
        for k in 0..<bins {
            // 36 dB are a factor of 4000.
            guard power[k] == work.samples[k], power[k] * 4000 > gains.samples[k], power[k] > 1e-12 else { continue }
            addPartial(power, k, count)
            count = count &+ 1
        }
        guard count > 0 else { return rt_zero(levels, bins) }
        resonances.fit(places, heights, count: count)
        resonances.levels(into: levels, bins: bins)
        // Differences between the partials and the resonances.
        for i in 0..<count {
            let whole = min(bins &- 2, Int(clamping: places[i]))
            heights[i] -= levels[whole] + (places[i] - Float(whole)) * (levels[whole &+ 1] - levels[whole])
        }
        connect(count)
    }

    /// Place and level of a partial by a parabola through the logarithms of three bins.
    @_noLocks @_noAllocation
    private func addPartial(_ power: UnsafePointer<Float>, _ k: Int, _ count: Int) {
        var three = rt_all16(power[k])
        three[0] = max(1e-20, power[max(0, k &- 1)])
        three[2] = max(1e-20, power[min(bins &- 1, k &+ 1)])
        three = rt_log2_16(three)
        let bend = three[0] - 2 * three[1] + three[2]
        let offset = bend < -1e-3 ? max(-0.5, min(0.5, 0.5 * (three[0] - three[2]) / bend)) : 0
        places.samples[count] = max(0, Float(k) + offset)
        heights.samples[count] = three[1] - 0.25 * (three[0] - three[2]) * offset
    }

    /// Adds the differences at the partials to the levels, interpolated by cubics (Catmull and Rom 1974).
    @_noLocks @_noAllocation
    private func connect(_ count: Int) {
        let (places, heights, levels) = (places.samples, heights.samples, levels.samples)
        let (first, end) = (min(bins, Int(clamping: places[0])), min(bins, Int(clamping: places[count &- 1])))
        for k in 0..<first { levels[k] += heights[0] }
        for k in end..<bins { levels[k] += heights[count &- 1] }
        for i in 0..<count &- 1 {
            let (x, y) = (places[i], heights[i])
            let (width, rise) = (places[i &+ 1] - x, heights[i &+ 1] - y)
            let (one, other) = (levels[min(bins &- 1, Int(clamping: x))] + y, levels[min(bins &- 1, Int(clamping: x + width))] + y + rise)
            let (lower, upper) = (min(one, other), max(one, other))
            let from = i == 0 ? rise : (heights[i &+ 1] - heights[i &- 1]) / (places[i &+ 1] - places[i &- 1]) * width
            let to = i == count &- 2 ? rise : (heights[i &+ 2] - y) / (places[i &+ 2] - x) * width
            for k in Int(clamping: x)..<Int(clamping: places[i &+ 1]) {
                let u = (Float(k) - x) / width
                let level = levels[k] + y + u * (from + u * (3 * rise - 2 * from - to + u * (from + to - 2 * rise)))
                // Between two partials, a resonance rises by 15 dB at most.
                levels[k] = max(lower - 5, min(upper + 5, level))
            }
        }
    }

    /// Finds the largest value within `reach` bins on both sides of each bin.
    @_noLocks @_noAllocation
    private func largest(_ power: UnsafePointer<Float>, _ reach: Int, into result: UnsafeMutablePointer<Float>) {
        // The last maximum is searched again only when it leaves the window.
        var top = -1
        for k in 0..<bins {
            let (first, end) = (max(0, k &- reach), min(bins, k &+ reach &+ 1))
            if top < first {
                top = first
                for i in first..<end where power[i] > power[top] { top = i }
            } else if power[end &- 1] > power[top] {
                top = end &- 1
            }
            result[k] = power[top]
        }
    }
}
