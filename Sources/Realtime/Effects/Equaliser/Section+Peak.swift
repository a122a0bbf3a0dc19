internal import CRealtime

extension Section {
    /// The peak section whose largest difference from the prototype in decibels is smallest.
    ///
    /// Such a section is exact at 0 Hz and at four frequencies, and has the same largest difference between all of them
    /// (Chebyshev's alternation). Starting near these frequencies, each iteration narrows the intervals with large
    /// differences.
    ///
    /// - Parameter isRough: for a band that is moving: the first of these sections, mostly within 0.05 dB of the
    ///   prototype and always within 0.5 dB.
    @_noLocks @_noAllocation
    static func peak(_ prototype: Prototype, _ f: Double, q: Double, _ rate: Double, isRough: Bool) -> Section? {
        let scale = PeakScale(f, q: max(0.05, q), top: peakTop(rate))
        var nodes = scale.beginning
        guard !isRough else { return fit(prototype, scale.frequencies(nodes), rate) }
        let grid = PeakGrid(prototype, scale, rate)
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

    /// Highest frequency at which peaks follow the prototype, and highest centre frequency: the audible range as far as
    /// the rate allows, and somewhat more at high rates.
    @_noLocks @_noAllocation
    static func peakTop(_ rate: Double) -> Double { min(max(rate * 20 / 48, min(0.4536 * rate, 20_000)), 24_000) }
}
