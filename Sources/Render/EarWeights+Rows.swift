internal import Binaural
internal import DSP

extension EarWeights {
    /// The rows of samples that take part, into `work`; returns how many.
    @_noLocks @_noAllocation
    func gather(
        _ scene: borrowing PreparedScene, _ bands: BandSet, _ channels: Int, _ gains: (from: Float, to: Float),
        _ work: borrowing MixWork
    ) -> Int {
        var rows = 0
        var rest = bands
        while let band = rest.popFirst() {
            guard let samples = scene.samples(band) else { continue }
            var group = 0
            while group < channels {
                let first = band &* 64 &+ group
                let mask = heard(from: first, work: work)
                if mask == 0xFFFF {
                    takeAll(samples, group, first, gains, work, rows)
                    rows = rows &+ laneCount
                } else {
                    rows = take(mask, samples, group, first, gains, work, rows)
                }
                group = group &+ laneCount
            }
        }
        return rows
    }

    /// Sixteen rows, all of which are heard, as `work`'s entries from `at` on.
    @_noLocks @_noAllocation
    private func takeAll(
        _ samples: RowView, _ channel: Int, _ first: Int, _ gains: (from: Float, to: Float), _ work: borrowing MixWork,
        _ at: Int
    ) {
        (work.from + at).setLanes(0, work.before.lanes(first) * gains.from)
        (work.to + at).setLanes(0, now.lanes(first) * gains.to)
        var row = samples.row(channel)
        for i in at..<at &+ laneCount {
            work.rows[i] = row
            row += samples.stride
        }
    }

    /// Those of sixteen rows that are heard; returns how many entries `work` has then.
    @_noLocks @_noAllocation
    private func take(
        _ mask: UInt32, _ samples: RowView, _ channel: Int, _ first: Int, _ gains: (from: Float, to: Float),
        _ work: borrowing MixWork, _ at: Int
    ) -> Int {
        var (rest, rows) = (mask, at)
        while rest != 0 {
            let place = rest.trailingZeroBitCount
            rest &= rest &- 1
            work.rows[rows] = samples.row(channel &+ place)
            work.from[rows] = work.before[first &+ place] * gains.from
            work.to[rows] = now[first &+ place] * gains.to
            rows = rows &+ 1
        }
        return rows
    }
}
