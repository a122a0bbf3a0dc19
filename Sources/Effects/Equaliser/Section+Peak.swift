internal import CRealtime

extension Section {
    /// The peak whose largest difference from the prototype, in decibels, is as small as a section's can be.
    ///
    /// Such a section is exact at 0 Hz and at four frequencies, and between all of them as far off as anywhere else
    /// (Chebyshev's alternation). Beginning near them, every turn makes the stretches narrow where the difference is
    /// large.
    @_noLocks @_noAllocation
    static func peak(_ prototype: Prototype, _ f: Double, q: Double, _ rate: Double) -> Section? {
        // What is heard, and at high rates somewhat more, for peaks at the end of it.
        let top = min(rate * 20 / 48, 24_000)
        let scale = PeakScale(f, q: max(0.05, q), top: top)
        let grid = PeakGrid(prototype, scale, rate)
        var nodes = scale.beginning
        var best: Section?
        var least = Double.infinity
        for _ in 0..<7 {
            guard let section = fit(prototype, scale.frequencies(nodes), rate) else { break }
            let off = grid.differences(section, between: nodes)
            let largest = off.max()
            if largest < least { (least, best) = (largest, section) }
            // 0.02 dB.
            if least < 0.0046 { break }
            nodes = scale.balanced(nodes, off)
        }
        return best
    }
}
