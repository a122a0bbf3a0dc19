internal import Binaural
internal import CRealtime
internal import DSP

/// Reflections of one object: each image of it has its own delay, walls, air and direction.
struct RoomVoice: ~Copyable, Sendable {
    /// A reflection in the last block.
    private struct Reflection: BitwiseCopyable {
        var delay = 0.0
        var gain: Float = 0
        var filter = OctaveFilter()
        var state = OctaveFilterState()
        /// Direction that it comes from, in room coordinates.
        var direction = SIMD3<Float>(1, 0, 0)
        /// Way in metres that `filter` was designed for.
        var designed: Float = 0
    }

    /// Samples by which a reflection's sound has to be in the line before it is read, the taps of the reading included.
    private static var margin: Double { @_noLocks @_noAllocation get { 64 } }

    private var line: MovingDelay
    // SAFETY: owned by this value alone, which cannot be copied. Those that are heard at the origin, then those of each listener with a
    // place of its own, which are not used before ``part(_:)``.
    private nonisolated(unsafe) let reflections: UnsafeMutablePointer<Reflection>
    private let count: Int
    private var x = Follower(0)
    private var y = Follower(0)
    private var z = Follower(0)
    /// Distance of the object from the place inside that it is mirrored from, metres; 0 for an object inside.
    private var outside = Follower(0)
    /// Walls that the object is behind.
    private var walls: UInt8 = 0
    /// Way to the place inside at the end of the last block, samples; share of the sound in the late field that is late by it.
    private var lateDelay = 0.0
    private var lateShare: Float = 0
    /// Whether reflections began with the last block.
    private(set) var begins = false
    /// Whether it has taken a block.
    private var isStarted = false
    /// Whether it began while the object sounded already: a reflection then waits until the line holds its sound, and fades in.
    private var joins = false
    /// Frames in the line since it began.
    private var written = 0

    /// - Parameters:
    ///   - count: number of reflections.
    ///   - listeners: number of listeners that may be elsewhere than at the origin.
    ///   - longest: way of a reflection, metres.
    init(count: Int, listeners: Int, longest: Float, rate: Float, period: Int) {
        self.count = count
        line = MovingDelay(longest: Int(clamping: longest / MicrophoneArray.speedOfSound * rate) + 1, period: period)
        reflections = .allocate(capacity: max(1, count * (1 + listeners)))
        reflections.initialize(repeating: Reflection(), count: max(1, count))
    }

    deinit { reflections.deallocate() }

    /// Takes the sound of a block and finds the object's place.
    ///
    /// - Parameters:
    ///   - row: sound of the object at 1 m, without air and directivity.
    ///   - place: in room coordinates.
    ///   - isFresh: whether the object was inaudible in the block before.
    /// - Returns: whether its reflections begin with this block.
    @_noLocks @_noAllocation
    mutating func take(
        _ row: UnsafePointer<Float>, place: SIMD3<Float>, in geometry: RoomGeometry, isFresh: Bool, block: Block
    ) -> Bool {
        let inside = geometry.inside(place)
        let square = (place - inside) * (place - inside)
        let away = Double(min(RoomGeometry.farthestOutside, rt_sqrt(square[0] + square[1] + square[2])))
        begins = isFresh || !isStarted
        walls = geometry.walls(before: place)
        if begins {
            line.clear()
            (x, y, z) = (Follower(Double(inside[0])), Follower(Double(inside[1])), Follower(Double(inside[2])))
            outside = Follower(away)
            lateShare = away > 0 ? 1 : 0
            (isStarted, joins, written) = (true, !isFresh, 0)
        } else {
            let (seconds, time, fastest) = (Double(block.seconds), Propagation.time, Propagation.fastest)
            x.advance(to: Double(inside[0]), seconds: seconds, time: time, fastest: fastest)
            y.advance(to: Double(inside[1]), seconds: seconds, time: time, fastest: fastest)
            z.advance(to: Double(inside[2]), seconds: seconds, time: time, fastest: fastest)
            outside.advance(to: away, seconds: seconds, time: time, fastest: fastest)
        }
        line.write(row, frames: block.frames)
        // Enough for any way; it would overflow after days otherwise.
        written = min(written &+ block.frames, 1 << 40)
        return begins
    }

    /// Writes the object's sound for the late field, which comes from outside as late as the way to the walls takes.
    ///
    /// - Parameters:
    ///   - row: the sound that was taken.
    ///   - begins: the result of ``take(_:place:in:isFresh:block:)``.
    @_noLocks @_noAllocation
    mutating func late(
        _ row: UnsafePointer<Float>, _ output: UnsafeMutablePointer<Float>, begins: Bool, _ common: borrowing Propagation, block: Block
    ) {
        let wanted: Float = outside.value > 0 ? 1 : 0
        let delay = common.delay(outside.value)
        let before = begins ? delay : lateDelay
        lateDelay = delay
        guard wanted > 0 || lateShare > 0 else { return rt_copy(output, row, block.frames) }
        line.read(output, frames: block.frames, from: before, to: delay, taps: common.taps)
        let share = Ramp(from: lateShare, to: wanted, frames: block.frames)
        lateShare = wanted
        if share.isOne { return }
        share.crossfade(from: row, to: output, into: output, frames: block.frames)
    }

    /// Factor of the object's share of the late field: less reaches a room from far outside.
    var reach: Float { @_noLocks @_noAllocation get { 1 / (1 + Float(outside.value)) } }

    /// The direction that a reflection came from in the last block, in room coordinates.
    @_noLocks @_noAllocation
    func direction(_ number: Int) -> SIMD3<Float> { reflections[number].direction }

    /// Lets the reflections for a listener continue from those at the origin.
    /// - Parameter listener: from 1.
    @_noLocks @_noAllocation
    func part(_ listener: Int) {
        for number in 0..<count { (reflections + (listener &* count &+ number)).initialize(to: reflections[number]) }
    }

    /// Writes a reflection.
    ///
    /// - Parameters:
    ///   - owner: 0 for the origin, or the listener's number, from 1.
    ///   - listener: place in room coordinates.
    ///   - level: factor of all reflections.
    ///   - isFresh: whether reflections begin with this block.
    /// - Returns: the direction that it comes from, in room coordinates.
    @_noLocks @_noAllocation
    mutating func reflect(
        _ number: Int, for owner: Int, _ image: RoomImage, _ row: UnsafeMutablePointer<Float>, _ settings: ObjectSettings,
        front: SIMD3<Float>, listener: SIMD3<Float>, level: Float, isFresh: Bool, _ common: borrowing Propagation, block: Block
    ) -> SIMD3<Float> {
        let way = image.place(SIMD3(Float(x.value), Float(y.value), Float(z.value))) - listener
        let square = way * way
        let inside = max(0.1, rt_sqrt(square[0] + square[1] + square[2]))
        let distance = inside + Float(outside.value)
        let direction = way / inside
        let reflection = reflections + (owner &* count &+ number)
        let before = reflection.pointee
        let delay = common.delay(Double(distance))
        line.read(row, frames: block.frames, from: isFresh ? delay : before.delay, to: delay, taps: common.taps)
        let previous = before.filter
        if isFresh || abs(distance - before.designed) > 0.02 * distance {
            reflection.pointee.filter = common.design.pointee.filter(image.decibels - common.absorption * distance)
            reflection.pointee.designed = distance
        }
        if isFresh { reflection.pointee.state = OctaveFilterState() }
        let filter = reflection.pointee.filter
        reflection.pointee.state.process(row, frames: block.frames, from: isFresh ? filter : previous, to: filter)
        let pattern = Directivity.factor(settings.directivity, front: image.sign * front, towards: SIMD3.zero - direction)
        // Sound that comes in through a wall does not meet that wall first.
        let isThere = !joins || Double(written &- block.frames) > delay + Self.margin
        let wanted = isThere && image.first & walls == 0 ? level * pattern / distance : 0
        let gain = isFresh ? (joins ? 0 : wanted) : Smoother.next(before.gain, to: wanted, share: block.gainShare, tolerance: 1e-6)
        Ramp(from: isFresh ? gain : before.gain, to: gain, frames: block.frames).scale(row, frames: block.frames)
        reflection.pointee.delay = delay
        reflection.pointee.gain = gain
        reflection.pointee.direction = direction
        return direction
    }
}
