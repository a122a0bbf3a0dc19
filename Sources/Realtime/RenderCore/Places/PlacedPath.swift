internal import Binaural
internal import CRealtime
internal import DSP

/// The path of one object's sound to one listener at its own place: delay, level, directivity, air and walls.
struct PlacedPath: BitwiseCopyable {
    /// Unit vector from the listener to the object.
    private(set) var direction = SIMD3<Float>(1, 0, 0)
    private var distance = Follower(1)
    /// Level and directivity.
    private var gain: Float = 0
    /// Share of the sound that comes from all around at the end of the last block.
    private var around: Float = 0
    private var air = AirFilter()
    private var delayShare = Smoother(0)
    private var muffle = WallMuffle()

    @_noLocks @_noAllocation
    init() {}

    /// Writes a block of an object's sound as it arrives.
    ///
    /// - Parameters:
    ///   - place: of the listener.
    ///   - wall: levels that the walls between the object and the listener leave, decibels in the octaves.
    ///   - isFresh: whether the path begins with this block.
    ///   - spare: working memory for a block.
    /// - Returns: the share that comes from all around, over the block.
    @_noLocks @_noAllocation
    mutating func process(
        _ object: Int, _ sources: borrowing ObjectSources, _ row: UnsafeMutablePointer<Float>, place: ListenerPlace,
        wall: SIMD8<Float>, isFresh: Bool, _ common: borrowing Propagation, block: Block, spare: UnsafeMutablePointer<Float>
    ) -> Ramp {
        let site = sources.sites[object]
        var settings = site.settings
        let way = site.place - place.now
        settings.distance = Self.length(way)
        if settings.distance > 1e-4 { direction = way / settings.distance }
        let metres = Double(min(Propagation.farthest, Self.length(site.place - place.wanted)))
        let before = isFresh ? metres : distance.value
        let wanted = settings.falloff * pattern(settings)
        let gainBefore = isFresh ? wanted : gain
        let aroundBefore = isFresh ? settings.spread : around
        if isFresh {
            self = PlacedPath(direction: direction, metres: metres, air: settings.air, delay: settings.doppler)
        } else {
            distance.advance(to: metres, seconds: Double(block.seconds), time: Propagation.time, fastest: Propagation.fastest)
        }
        delay(object, sources, row, settings, from: common.delay(before), to: common.delay(distance.value), common, block, spare)
        gain = Smoother.next(gainBefore, to: wanted, share: block.gainShare, tolerance: 1e-6)
        Ramp(from: gainBefore, to: gain, frames: block.frames).scale(row, frames: block.frames)
        air.process(row, to: settings.air, metres: Float(distance.value), isFresh: isFresh, common, block)
        muffle.process(row, to: wall, isFresh: isFresh, common.design, block: block)
        around = Smoother.next(aroundBefore, to: settings.spread, share: block.gainShare, tolerance: 1e-4)
        return Ramp(from: aroundBefore, to: around, frames: block.frames)
    }

    @_noLocks @_noAllocation
    private init(direction: SIMD3<Float>, metres: Double, air: Float, delay: Float) {
        self.direction = direction
        distance = Follower(metres)
        self.air.share.value = air
        delayShare = Smoother(delay)
    }

    @_noLocks @_noAllocation
    private static func length(_ way: SIMD3<Float>) -> Float { rt_sqrt((way * way).sum()) }

    @_noLocks @_noAllocation
    private func pattern(_ settings: ObjectSettings) -> Float {
        guard settings.directivity != 0 else { return 1 }
        return Directivity.factor(
            settings.directivity, front: Directivity.front(yaw: settings.yaw, pitch: settings.pitch), towards: SIMD3.zero - direction)
    }

    @_noLocks @_noAllocation
    private mutating func delay(
        _ object: Int, _ sources: borrowing ObjectSources, _ row: UnsafeMutablePointer<Float>, _ settings: ObjectSettings,
        from before: Double, to now: Double, _ common: borrowing Propagation, _ block: Block, _ spare: UnsafeMutablePointer<Float>
    ) {
        let share = delayShare.ramp(to: settings.doppler, share: block.gainShare, frames: block.frames, tolerance: 1e-4)
        guard !share.isZero else { return rt_copy(row, sources.row(object), block.frames) }
        guard !share.isOne else { return sources.read(object, row, frames: block.frames, from: before, to: now, taps: common.taps) }
        sources.read(object, spare, frames: block.frames, from: before, to: now, taps: common.taps)
        share.crossfade(from: sources.row(object), to: spare, into: row, frames: block.frames)
    }
}
