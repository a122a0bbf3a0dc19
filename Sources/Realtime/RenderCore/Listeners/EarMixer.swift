internal import Binaural
internal import CRealtime
internal import DSP

/// One ear: the weights of the scene's rows, ramped over each block, and the weighted sum.
struct EarMixer: ~Copyable, Sendable {
    /// Seconds of the crossfade to another method.
    static var fade: Float { @_noLocks @_noAllocation get { SmoothingTime.crossfade } }

    /// Elevation above which an ear may pass the vertical, where its azimuth jumps by half a turn, degrees.
    private static var steep: Float { @_noLocks @_noAllocation get { 60 } }
    /// Least change of the azimuth from block to block that is crossfaded there, degrees.
    private static var jump: Float { @_noLocks @_noAllocation get { 30 } }

    /// Bands of the spectral methods' frames.
    static var framed: BandSet { @_noLocks @_noAllocation get { BandSet(.magnitude, .ringMagnitude) } }

    /// Bands that hold no samples in the scene.
    private static var unsampled: BandSet {
        @_noLocks @_noAllocation get { framed | BandSet(.phase, .ringPhase, .hrtf) }
    }

    let weights = EarWeights()
    let frames: FrameOverlap
    private var nearest = NearestMicrophone()
    private(set) var method: InterpolationMethod?
    /// Share of the current method in the weights; the rest are the weights from when it was chosen.
    private var share: Float = 1
    /// Bands that had a weight in the last block.
    private var bandsBefore = BandSet()
    private var isFresh = true
    /// Whether the ear was so far from the ring's plane in the last block that the rows of its elevation may be needed.
    private var isTilted = false
    /// Azimuth of the last block, degrees.
    private var azimuth: Float = 0
    private var hasFrames = false
    // SAFETY: owned by this value alone, which cannot be copied. Apart, to keep this value small.
    nonisolated(unsafe) let hrtf: UnsafeMutablePointer<HRTFEar>
    /// Whether HRTF filters were in use in the last block.
    private(set) var usesHRTF = false
    /// Seconds until the crossfade begins, after the latency of the new method.
    private var wait: Float = 0
    private let rate: Float

    init(_ ear: Ear, frame: SpectralFrame, period: Int, rate: Float) {
        frames = FrameOverlap(length: frame.length, period: period)
        hrtf = .allocate(capacity: 1)
        hrtf.initialize(to: HRTFEar(ear, period: period, rate: rate))
        self.rate = rate
    }

    deinit {
        hrtf.deinitialize(count: 1)
        hrtf.deallocate()
    }

    /// Bands of the scene that the ear needs in the coming block.
    @_noLocks @_noAllocation
    func bands(_ method: InterpolationMethod) -> BandSet {
        isTilted ? method.bands | bandsBefore | method.elevationBands : method.bands | bandsBefore
    }

    /// Weight of every row at the end of the last block, without gain.
    var now: UnsafePointer<Float> { @_noLocks @_noAllocation get { UnsafePointer(weights.now) } }

    /// Starts again, for an array with another number of microphones.
    @_noLocks @_noAllocation
    mutating func reset() {
        weights.clear()
        nearest = NearestMicrophone()
        share = 1
        bandsBefore = BandSet()
        isFresh = true
        isTilted = false
        hasFrames = false
        usesHRTF = false
    }

    /// Begins a crossfade from the current weights, for example to microphones at other places.
    @_noLocks @_noAllocation
    mutating func leave() {
        guard !isFresh else { return }
        weights.keep()
        share = 0
    }

    /// Renders one block; the weights reach the target at the last frame.
    @_noLocks @_noAllocation
    mutating func mix(
        _ scene: borrowing PreparedScene, _ ring: borrowing RingLookup, _ target: EarTarget, block: Block,
        work: borrowing RenderWork, output: UnsafeMutablePointer<Float>
    ) {
        let channels = ring.channels
        let elevation = elevation(target, scene)
        aim(ring, target, elevation: elevation, block.seconds, work)
        let own = elevation > 0 ? target.method.bands | target.method.elevationBands : target.method.bands
        let bands = own | bandsBefore
        fade(block.seconds)
        if bands.overlaps(Self.unsampled) {
            makeRows(scene, bands, azimuth: target.azimuth, channels: channels, block: block, work: work)
        } else {
            hasFrames = false
            usesHRTF = false
        }
        var rows = weights.gather(
            scene, bands - Self.unsampled, channels, share: share, isFresh: isFresh, work)
        isFresh = false
        if hasFrames { rows = work.add(frames.row, from: 1, to: 1, at: rows) }
        if usesHRTF {
            let row = Taps.row(.hrtf, 0)
            rows = work.add(hrtf.pointee.row, from: work.before[row], to: weights.now[row], at: rows)
        }
        RampedMix.process(
            rows: work.rows, from: work.from, to: work.to, count: rows, frames: block.frames, output: output)
        if hasFrames { frames.advance(block.frames) }
        if usesHRTF { hrtf.pointee.advance(block.frames) }
        bandsBefore = share < 1 ? bands : own
    }

    /// Elevation with which the ear is heard, degrees from 0 to 90; 0 while the scene has no rows for it.
    @_noLocks @_noAllocation
    private mutating func elevation(_ target: EarTarget, _ scene: borrowing PreparedScene) -> Float {
        isTilted = target.elevation != 0
        return isTilted && scene.hasElevation ? ElevationFilters.heard(target.elevation) : 0
    }

    /// Makes the rows that are not in the scene: this ear's spectral frames and its HRTF-filtered sound.
    @_noLocks @_noAllocation
    private mutating func makeRows(
        _ scene: borrowing PreparedScene, _ bands: BandSet, azimuth: Float, channels: Int, block: Block,
        work: borrowing RenderWork
    ) {
        weights.ramp(bands & Self.unsampled, channels, share: share, isFresh: isFresh, work: work)
        let makesFrames = bands.overlaps(Self.framed)
        if makesFrames, !hasFrames { frames.clear() }
        if bands.contains(.magnitude) { synthesise(scene, .neighbours, channels: channels, block: block, work: work) }
        if bands.contains(.ringMagnitude) { synthesise(scene, .ring, channels: channels, block: block, work: work) }
        hasFrames = makesFrames
        let rendersHRTF = bands.contains(.hrtf)
        if rendersHRTF {
            if !usesHRTF { hrtf.pointee.reset() }
            hrtf.pointee.render(scene.partitions.pointee, azimuth: azimuth, frames: block.frames, work: work.partitions.pointee)
        }
        usesHRTF = rendersHRTF
    }

    /// Computes the weights of the target, and begins a crossfade when the method has changed.
    @_noLocks @_noAllocation
    private mutating func aim(
        _ ring: borrowing RingLookup, _ target: EarTarget, elevation: Float, _ seconds: Float, _ work: borrowing RenderWork
    ) {
        let bracket = ring.bracket(target.azimuth)
        nearest.advance(bracket, seconds: seconds)
        if method != target.method {
            leave()
            method = target.method
            wait = Float(target.method.latency(rate: rate)) / rate
        } else if elevation > Self.steep, abs(wrapDegrees(target.azimuth - azimuth)) > Self.jump {
            leave()
        }
        azimuth = target.azimuth
        var taps = Taps(weights: work.target)
        let ear = EarPlace(azimuth: target.azimuth, elevation: elevation, bracket, nearest: nearest, fixed: target.fixed)
        target.method.add(ear, in: ring, to: &taps)
    }

    /// Advances the crossfade to the current method, once that method's latency has passed.
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
