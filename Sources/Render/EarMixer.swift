internal import Binaural
internal import CRealtime
internal import DSP

/// One ear: which rows of the scene it is made of, walking from block to block, and their sum.
struct EarMixer: ~Copyable, Sendable {
    /// Seconds of the crossfade to another method.
    static var fade: Float { @_noLocks @_noAllocation get { 0.02 } }

    /// What is heard as frames of the spectral methods.
    static var framed: BandSet { @_noLocks @_noAllocation get { BandSet(.magnitude, .ringMagnitude) } }

    /// What is no row of samples in the scene.
    private static var unsampled: BandSet {
        @_noLocks @_noAllocation get { framed | BandSet(.phase, .ringPhase, .personal) }
    }

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
        fade(block.seconds)
        if bands.overlaps(Self.unsampled) {
            makeRows(scene, bands, azimuth: wish.azimuth, channels: channels, block: block, work: work)
        } else {
            hasFrames = false
            isPersonal = false
        }
        var rows = weights.gather(
            scene, bands - Self.unsampled, channels, share: share, isFresh: isFresh, work)
        isFresh = false
        if hasFrames { rows = work.add(frames.row, from: 1, to: 1, at: rows) }
        if isPersonal {
            let row = Taps.row(.personal, 0)
            rows = work.add(personal.pointee.row, from: work.before[row], to: weights.now[row], at: rows)
        }
        RampedMix.process(
            rows: work.rows, from: work.from, to: work.to, count: rows, frames: block.frames, output: output)
        if hasFrames { frames.advance(block.frames) }
        if isPersonal { personal.pointee.advance(block.frames) }
        bandsBefore = share < 1 ? bands : wish.method.bands
    }

    /// The rows that are not in the scene: this ear's frames, and what its own filters let through.
    @_noLocks @_noAllocation
    private mutating func makeRows(
        _ scene: borrowing PreparedScene, _ bands: BandSet, azimuth: Float, channels: Int, block: Block,
        work: borrowing MixWork
    ) {
        weights.walk(bands & Self.unsampled, channels, share: share, isFresh: isFresh, work: work)
        let makesFrames = bands.overlaps(Self.framed)
        if makesFrames, !hasFrames { frames.clear() }
        if bands.contains(.magnitude) { synthesise(scene, .neighbours, channels: channels, block: block, work: work) }
        if bands.contains(.ringMagnitude) { synthesise(scene, .ring, channels: channels, block: block, work: work) }
        hasFrames = makesFrames
        let makesPersonal = bands.contains(.personal)
        if makesPersonal {
            if !isPersonal { personal.pointee.reset() }
            personal.pointee.render(scene.parts.pointee, azimuth: azimuth, frames: block.frames)
        }
        isPersonal = makesPersonal
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
        var taps = Taps(weights: work.target)
        wish.method.taps(ring, azimuth: wish.azimuth, bracket, nearest: nearest, fixed: wish.fixed, into: &taps)
    }

    /// Goes on with the crossfade to the method, once what is late is there.
    @_noLocks @_noAllocation
    private mutating func fade(_ seconds: Float) {
        guard share < 1 else { return }
        if wait > 0, !isFresh {
            wait -= seconds
        } else {
            share = min(1, share + seconds / Self.fade)
        }
    }
}
