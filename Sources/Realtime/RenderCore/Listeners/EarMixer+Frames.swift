internal import Binaural
internal import DSP

extension EarMixer {
    /// Synthesises this ear's frames at one crossover from the spectra that all ears share.
    ///
    /// A frame is weighted as at its middle, or as at the block's end when its middle is later, so that the pose of
    /// this block is audible from the first frame that begins in it.
    @_noLocks @_noAllocation
    func synthesise(
        _ scene: borrowing PreparedScene, _ crossover: Crossover, channels: Int, block: Block, work: borrowing RenderWork
    ) {
        let middle = work.transform.length / 2
        let phases = work.rows + MicrophoneArray.capacity
        let shares = work.from + MicrophoneArray.capacity
        for hop in 0..<scene.hops.count {
            let place = scene.hops.place(hop)
            let along = min(1, Float(place &+ middle) / Float(block.frames))
            let magnitudes = collect(
                Taps.Band(.magnitude, crossover), scene, crossover, hop, along, channels, work, into: work.rows,
                work.from)
            let parts = collect(
                Taps.Band(.phase, crossover), scene, crossover, hop, along, channels, work, into: phases, shares)
            guard magnitudes > 0, parts > 0 else { continue }
            for i in 0..<parts { phases[i] += work.transform.floats }
            Polar.join(
                magnitudes: work.rows, weights: work.from, magnitudeCount: magnitudes, phases: phases, shares: shares,
                phaseCount: parts, count: work.transform.floats, spectrum: work.transform.spectrum)
            work.transform.overlap(onto: frames.frame(place))
        }
    }

    /// Collects the frames of the microphones that have a weight in a band, and their weights at a point of the block;
    /// returns their number.
    ///
    /// - Parameter along: the point, from 0 (beginning of the block) to 1 (its end).
    @_noLocks @_noAllocation
    private func collect(
        _ band: Taps.Band, _ scene: borrowing PreparedScene, _ crossover: Crossover, _ hop: Int, _ along: Float, _ channels: Int,
        _ work: borrowing RenderWork, into rows: UnsafeMutablePointer<UnsafePointer<Float>>, _ values: UnsafeMutablePointer<Float>
    ) -> Int {
        var count = 0
        var group = 0
        while group < channels {
            let first = Taps.row(band, group)
            var heard = weights.heard(from: first, work: work)
            while heard != 0 {
                let place = heard.trailingZeroBitCount
                heard &= heard &- 1
                let from = work.before[first &+ place]
                let weight = from + (weights.now[first &+ place] - from) * along
                guard weight != 0 else { continue }
                rows[count] = scene.frame(crossover, hop: hop, channel: group &+ place)
                values[count] = weight
                count = count &+ 1
            }
            group = group &+ laneCount
        }
        return count
    }
}
