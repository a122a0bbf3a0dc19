internal import Binaural
internal import CRealtime
internal import DSP

extension EarWeights {
    /// Advances the weights of some bands of samples; puts the rows with a weight into `work` and returns their number.
    ///
    /// - Parameters:
    ///   - share: share of the target in the weights, 0 to 1.
    ///   - isFresh: start at the target, without a ramp.
    @_noLocks @_noAllocation
    func gather(
        _ scene: borrowing PreparedScene, _ bands: BandSet, _ channels: Int, share: Float, isFresh: Bool,
        _ work: borrowing RenderWork
    ) -> Int {
        var rows = 0
        var rest = bands
        while let band = rest.popFirst() {
            guard let samples = scene.samples(band) else { continue }
            let rowCount = Taps.rows(band, channels: channels)
            var group = 0
            while group < rowCount {
                let (before, now) = advance(band &* MicrophoneArray.capacity &+ group, share: share, isFresh: isFresh, work: work)
                rows = take(before, now, samples, group, work, rows)
                group = group &+ laneCount
            }
        }
        return rows
    }

    /// Appends those of sixteen rows that have a weight at the block's beginning or end; returns the number of entries
    /// in `work`.
    @_noLocks @_noAllocation
    @inline(__always)
    private func take(
        _ before: Lanes, _ now: Lanes, _ samples: RowView, _ channel: Int, _ work: borrowing RenderWork, _ at: Int
    ) -> Int {
        let heard = rt_nonzero16(before, now)
        (work.from + at).setLanes(0, before)
        (work.to + at).setLanes(0, now)
        guard heard != 0xFFFF else {
            for i in 0..<laneCount { work.rows[at &+ i] = samples.row(channel &+ i) }
            return at &+ laneCount
        }
        // Compacted in place: entries further on have not been written yet.
        var (rest, rows) = (heard, at)
        while rest != 0 {
            let place = rest.trailingZeroBitCount
            rest &= rest &- 1
            work.rows[rows] = samples.row(channel &+ place)
            work.from[rows] = work.from[at &+ place]
            work.to[rows] = work.to[at &+ place]
            rows = rows &+ 1
        }
        return rows
    }
}
