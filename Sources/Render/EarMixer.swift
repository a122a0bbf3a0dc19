internal import Binaural
internal import CRealtime
internal import DSP

/// One ear: which rows of the scene it is made of, walking from block to block, and their sum.
struct EarMixer: ~Copyable, Sendable {
    /// Seconds of the crossfade to another method.
    static var fade: Float { @_noLocks @_noAllocation get { 0.02 } }

    /// What is heard as frames of the spectral methods.
    static var framed: BandSet { @_noLocks @_noAllocation get { BandSet(.magnitude, .ringMagnitude) } }

    let weights = EarWeights()
    let frames: FrameOverlap
    private var nearest = NearestMicrophone()
    private var method: InterpolationMethod?
    /// What the method alone has in what is heard, against what was heard when it was chosen.
    private var share: Float = 1
    /// Bands that had a weight in the last block.
    private var bandsBefore = BandSet()
    private var isFresh = true
    private var hasFrames = false
    private var personal: PersonalEar
    private var hasPersonal = false
    /// Seconds until the crossfade begins: what is late has to be there first.
    private var wait: Float = 0
    private let rate: Float

    init(_ ear: Ear, frame: SpectralFrame, period: Int, rate: Float) {
        frames = FrameOverlap(length: frame.length, period: period)
        personal = PersonalEar(ear, period: period, rate: rate)
        self.rate = rate
    }

    /// What the ear needs of the scene in the coming block.
    @_noLocks @_noAllocation
    func bands(_ method: InterpolationMethod) -> BandSet { method.bands | bandsBefore }

    /// Weight of every row at the end of the last block, gain apart.
    var now: UnsafePointer<Float> { @_noLocks @_noAllocation get { UnsafePointer(weights.now) } }

    /// Forgets everything: the microphones are others.
    @_noLocks @_noAllocation
    mutating func reset() {
        weights.clear()
        nearest = NearestMicrophone()
        share = 1
        bandsBefore = BandSet()
        isFresh = true
        hasFrames = false
        hasPersonal = false
    }

    /// Whether the listener's own ears are heard.
    var isPersonal: Bool { @_noLocks @_noAllocation get { hasPersonal } }

    /// Crossfades from what is heard now: the same microphones are somewhere else, or others of them are muted.
    @_noLocks @_noAllocation
    mutating func leave() {
        guard !isFresh else { return }
        weights.keep()
        share = 0
    }

    /// Renders one block; the weights reach what the method wants at the last frame.
    @_noLocks @_noAllocation
    mutating func mix(
        _ scene: borrowing Scene, _ ring: borrowing RingLookup, _ wish: EarWish, block: Block,
        work: borrowing MixWork, output: UnsafeMutablePointer<Float>
    ) {
        let channels = ring.array.count
        aim(ring, wish, block.seconds)
        let bands = wish.method.bands | bandsBefore
        walk(bands, count: channels, seconds: block.seconds)
        let makesFrames = bands.overlaps(Self.framed)
        if makesFrames, !hasFrames { frames.clear() }
        if bands.contains(.magnitude) { synthesise(scene, .neighbours, channels: channels, block: block, work: work) }
        if bands.contains(.ringMagnitude) { synthesise(scene, .ring, channels: channels, block: block, work: work) }
        var rows = gather(scene, bands, channels, wish.gains, work)
        if makesFrames {
            work.rows[rows] = frames.row
            work.from[rows] = wish.gains.from
            work.to[rows] = wish.gains.to
            rows = rows &+ 1
        }
        let makesPersonal = bands.contains(.personal)
        if makesPersonal { rows = addPersonal(scene, wish, block.frames, work, rows) }
        RampedMix.process(
            rows: work.rows, from: work.from, to: work.to, count: rows, frames: block.frames, output: output)
        if makesFrames { frames.advance(block.frames) }
        if makesPersonal { personal.advance(block.frames) }
        hasFrames = makesFrames
        hasPersonal = makesPersonal
        bandsBefore = share < 1 ? bands : wish.method.bands
    }

    /// Renders this ear through the listener's own, as one more row; returns how many entries `work` has then.
    @_noLocks @_noAllocation
    private mutating func addPersonal(
        _ scene: borrowing Scene, _ wish: EarWish, _ frames: Int, _ work: borrowing MixWork, _ rows: Int
    ) -> Int {
        if !hasPersonal { personal.reset() }
        guard let bank = wish.bank else { return rows }
        scene.renderPersonal(&personal, bank, azimuth: wish.azimuth, frames: frames)
        let row = Taps.row(.personal, 0)
        work.rows[rows] = personal.row
        work.from[rows] = weights.before[row] * wish.gains.from
        work.to[rows] = weights.now[row] * wish.gains.to
        return rows &+ 1
    }

    /// Works out what the method wants, and begins a crossfade when the method is another.
    @_noLocks @_noAllocation
    private mutating func aim(_ ring: borrowing RingLookup, _ wish: EarWish, _ seconds: Float) {
        let bracket = ring.bracket(wish.azimuth)
        nearest.advance(bracket, seconds: seconds)
        if method != wish.method {
            leave()
            method = wish.method
            wait = Float(wish.method.latency(rate: rate)) / rate
        }
        weights.clearTarget(wish.method.bands | bandsBefore, count: ring.array.count)
        var taps = Taps(weights: weights.target)
        wish.method.taps(ring, azimuth: wish.azimuth, bracket, nearest: nearest, fixed: wish.fixed, into: &taps)
    }

    /// Moves from what was heard last towards the target.
    @_noLocks @_noAllocation
    private mutating func walk(_ bands: BandSet, count: Int, seconds: Float) {
        if share < 1, wait > 0, !isFresh {
            wait -= seconds
        } else {
            share = min(1, share + seconds / Self.fade)
        }
        var rest = bands
        while let band = rest.popFirst() {
            weights.advance(from: band &* 64, count: count, share: share)
            if isFresh { weights.settle(from: band &* 64, count: count) }
        }
        isFresh = false
    }

    /// The rows of samples that take part, into `work`; returns how many.
    @_noLocks @_noAllocation
    private func gather(
        _ scene: borrowing Scene, _ bands: BandSet, _ channels: Int, _ gains: (from: Float, to: Float),
        _ work: borrowing MixWork
    ) -> Int {
        var rows = 0
        var rest = bands
        while let band = rest.popFirst() {
            guard let samples = scene.samples(band) else { continue }
            var group = 0
            while group < channels {
                let first = band &* 64 &+ group
                let heard = weights.heard(from: first)
                if heard == 0xFFFF {
                    takeAll(samples, group, first, gains, work, rows)
                    rows = rows &+ laneCount
                } else {
                    rows = take(heard, samples, group, first, gains, work, rows)
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
        (work.from + at).setLanes(0, weights.before.lanes(first) * gains.from)
        (work.to + at).setLanes(0, weights.now.lanes(first) * gains.to)
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
        var (heard, rows) = (mask, at)
        while heard != 0 {
            let place = heard.trailingZeroBitCount
            heard &= heard &- 1
            work.rows[rows] = samples.row(channel &+ place)
            work.from[rows] = weights.before[first &+ place] * gains.from
            work.to[rows] = weights.now[first &+ place] * gains.to
            rows = rows &+ 1
        }
        return rows
    }
}
