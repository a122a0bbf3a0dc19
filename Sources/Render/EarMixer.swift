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
    private(set) var method: InterpolationMethod?
    /// What the method alone has in what is heard, against what was heard when it was chosen.
    private var share: Float = 1
    /// Bands that had a weight in the last block.
    private var bandsBefore = BandSet()
    private var isFresh = true
    private var hasFrames = false
    // SAFETY: owned by this value alone, which cannot be copied. Elsewhere, to keep this value small.
    nonisolated(unsafe) let personal: UnsafeMutablePointer<PersonalEar>
    /// Whether the listener's own ears were heard in the last block.
    private(set) var isPersonal = false
    /// Seconds until the crossfade begins: what is late has to be there first.
    private var wait: Float = 0
    private let rate: Float

    init(_ ear: Ear, frame: SpectralFrame, period: Int, rate: Float) {
        frames = FrameOverlap(length: frame.length, period: period)
        personal = .allocate(capacity: 1)
        personal.initialize(to: PersonalEar(ear, period: period, rate: rate))
        self.rate = rate
    }

    deinit {
        personal.deinitialize(count: 1)
        personal.deallocate()
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
        isPersonal = false
    }

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
        _ scene: borrowing PreparedScene, _ ring: borrowing RingLookup, _ wish: EarWish, block: Block,
        work: borrowing MixWork, output: UnsafeMutablePointer<Float>
    ) {
        let channels = ring.channels
        aim(ring, wish, block.seconds, work)
        let bands = wish.method.bands | bandsBefore
        walk(bands, count: channels, seconds: block.seconds, work: work)
        let makesFrames = bands.overlaps(Self.framed)
        if makesFrames, !hasFrames { frames.clear() }
        if bands.contains(.magnitude) { synthesise(scene, .neighbours, channels: channels, block: block, work: work) }
        if bands.contains(.ringMagnitude) { synthesise(scene, .ring, channels: channels, block: block, work: work) }
        var rows = weights.gather(scene, bands, channels, wish.gains, work)
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
        if makesPersonal { personal.pointee.advance(block.frames) }
        hasFrames = makesFrames
        isPersonal = makesPersonal
        bandsBefore = share < 1 ? bands : wish.method.bands
    }

    /// Works out what the method wants, and begins a crossfade when the method is another.
    @_noLocks @_noAllocation
    private mutating func aim(
        _ ring: borrowing RingLookup, _ wish: EarWish, _ seconds: Float, _ work: borrowing MixWork
    ) {
        let bracket = ring.bracket(wish.azimuth)
        nearest.advance(bracket, seconds: seconds)
        if method != wish.method {
            leave()
            method = wish.method
            wait = Float(wish.method.latency(rate: rate)) / rate
        }
        work.clearTarget(wish.method.bands | bandsBefore, count: ring.channels)
        var taps = Taps(weights: work.target)
        wish.method.taps(ring, azimuth: wish.azimuth, bracket, nearest: nearest, fixed: wish.fixed, into: &taps)
    }

    /// Moves from what was heard last towards the target.
    @_noLocks @_noAllocation
    private mutating func walk(_ bands: BandSet, count: Int, seconds: Float, work: borrowing MixWork) {
        if share < 1, wait > 0, !isFresh {
            wait -= seconds
        } else {
            share = min(1, share + seconds / Self.fade)
        }
        var rest = bands
        while let band = rest.popFirst() {
            weights.advance(from: band &* 64, count: count, share: share, work: work)
            if isFresh { weights.settle(from: band &* 64, count: count, work: work) }
        }
        isFresh = false
    }
}
