internal import Binaural
internal import CRealtime
internal import DSP

/// One ear: which rows of the scene it is made of, walking from block to block, and their sum.
struct EarMixer: ~Copyable, Sendable {
    /// Seconds of the crossfade to another method.
    static var fade: Float { @_noLocks @_noAllocation get { 0.02 } }

    private let weights = EarWeights()
    private var nearest = NearestMicrophone()
    private var method: InterpolationMethod?
    /// What the method alone has in what is heard, against what was heard when it was chosen.
    private var share: Float = 1
    /// Bands that had a weight in the last block.
    private var bandsBefore: UInt8 = 0
    private var isFresh = true

    /// What the ear needs of the scene in the coming block.
    @_noLocks @_noAllocation
    func bands(_ method: InterpolationMethod) -> UInt8 { method.bands | bandsBefore }

    /// Weight of every row at the end of the last block, gain apart.
    var now: UnsafePointer<Float> { @_noLocks @_noAllocation get { UnsafePointer(weights.now) } }

    /// Forgets everything: the microphones are others.
    @_noLocks @_noAllocation
    mutating func reset() {
        weights.clear()
        nearest = NearestMicrophone()
        share = 1
        bandsBefore = 0
        isFresh = true
    }

    /// Renders one block; the weights reach what the method wants at the last frame.
    ///
    /// - Parameters:
    ///   - azimuth: of the ear, degrees.
    ///   - gains: level just before the first frame, and at the last.
    @_noLocks @_noAllocation
    mutating func mix(
        _ scene: borrowing Scene, _ ring: borrowing RingLookup, azimuth: Float, method wanted: InterpolationMethod,
        block: Block, gains: (from: Float, to: Float), work: borrowing MixWork,
        output: UnsafeMutablePointer<Float>
    ) {
        aim(ring.bracket(azimuth), wanted, block.seconds)
        let bands = wanted.bands | bandsBefore
        walk(bands, count: ring.count, seconds: block.seconds)
        var rows = 0
        for band in 0..<3 where bands & (1 << UInt8(truncatingIfNeeded: band)) != 0 {
            var first = band &* 64
            let end = first &+ ring.count
            while first < end {
                rows = gather(scene, work, first, rows, gains)
                first = first &+ laneCount
            }
        }
        RampedMix.process(
            rows: work.rows, from: work.from, to: work.to, count: rows, frames: block.frames, output: output)
        bandsBefore = share < 1 ? bands : wanted.bands
    }

    /// Adds those of sixteen rows from `first` on that are heard; returns how many there are now.
    @_noLocks @_noAllocation
    private func gather(
        _ scene: borrowing Scene, _ work: borrowing MixWork, _ first: Int, _ count: Int, _ gains: (from: Float, to: Float)
    ) -> Int {
        var count = count
        var heard = rt_nonzero16(weights.before.lanes(first), weights.now.lanes(first))
        while heard != 0 {
            let row = first &+ heard.trailingZeroBitCount
            work.rows[count] = scene.row(row)
            work.from[count] = weights.before[row] * gains.from
            work.to[count] = weights.now[row] * gains.to
            count = count &+ 1
            heard &= heard &- 1
        }
        return count
    }

    /// Works out what the method wants, and begins a crossfade when the method is another.
    @_noLocks @_noAllocation
    private mutating func aim(_ bracket: Bracket, _ wanted: InterpolationMethod, _ seconds: Float) {
        nearest.advance(bracket, seconds: seconds)
        if method != wanted {
            if !isFresh {
                weights.keep()
                share = 0
            }
            method = wanted
        }
        weights.clearTarget(wanted.bands | bandsBefore)
        var taps = Taps(weights: weights.target)
        wanted.taps(bracket, nearest: nearest, into: &taps)
    }

    /// Moves from what was heard last towards the target.
    @_noLocks @_noAllocation
    private mutating func walk(_ bands: UInt8, count: Int, seconds: Float) {
        share = min(1, share + seconds / Self.fade)
        for band in 0..<3 where bands & (1 << UInt8(truncatingIfNeeded: band)) != 0 {
            weights.advance(from: band &* 64, count: count, share: share)
            if isFresh { weights.settle(from: band &* 64, count: count) }
        }
        isFresh = false
    }
}
