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
        /// Way in metres that `filter` was designed for.
        var designed: Float = 0
    }

    private var line: MovingDelay
    // SAFETY: owned by this value alone, which cannot be copied.
    private nonisolated(unsafe) let reflections: UnsafeMutablePointer<Reflection>
    private var x = Follower(0)
    private var y = Follower(0)
    private var z = Follower(0)
    private var level: Float = 1

    /// - Parameter longest: way of a reflection, metres.
    init(count: Int, longest: Float, rate: Float, period: Int) {
        line = MovingDelay(longest: Int(clamping: longest / MicrophoneArray.speedOfSound * rate) + 1, period: period)
        reflections = .allocate(capacity: max(1, count))
        reflections.initialize(repeating: Reflection(), count: max(1, count))
    }

    deinit { reflections.deallocate() }

    /// Takes the sound of a block and finds the object's place.
    ///
    /// - Parameters:
    ///   - row: sound of the object with the level of the direct sound, without air and directivity; becomes the sound at 1 m.
    ///   - place: in room coordinates.
    @_noLocks @_noAllocation
    mutating func take(
        _ row: UnsafeMutablePointer<Float>, _ settings: ObjectSettings, place: SIMD3<Float>, isFresh: Bool, block: Block
    ) {
        let wanted = max(max(ObjectScene.nearest, settings.bubble), settings.distance)
        if isFresh {
            line.clear()
            (x, y, z) = (Follower(Double(place[0])), Follower(Double(place[1])), Follower(Double(place[2])))
            level = wanted
        } else {
            x.advance(to: Double(place[0]), seconds: Double(block.seconds), time: Propagation.time, fastest: Propagation.fastest)
            y.advance(to: Double(place[1]), seconds: Double(block.seconds), time: Propagation.time, fastest: Propagation.fastest)
            z.advance(to: Double(place[2]), seconds: Double(block.seconds), time: Propagation.time, fastest: Propagation.fastest)
        }
        let next = Smoother.next(level, to: wanted, share: block.gainShare, tolerance: 1e-5)
        Ramp(from: level, to: next, frames: block.frames).scale(row, frames: block.frames)
        level = next
        line.write(row, frames: block.frames)
    }

    /// Writes a reflection.
    /// - Returns: the direction that it comes from, in room coordinates.
    @_noLocks @_noAllocation
    mutating func reflect(
        _ number: Int, _ image: RoomImage, _ row: UnsafeMutablePointer<Float>, _ settings: ObjectSettings, front: SIMD3<Float>,
        listener: SIMD3<Float>, isFresh: Bool, _ common: borrowing Propagation, block: Block
    ) -> SIMD3<Float> {
        let way = image.place(SIMD3(Float(x.value), Float(y.value), Float(z.value))) - listener
        let square = way * way
        let distance = max(0.1, rt_sqrt(square[0] + square[1] + square[2]))
        let direction = way / distance
        let reflection = reflections + number
        let before = reflection.pointee
        let delay = common.delay(Double(distance))
        line.read(row, frames: block.frames, from: isFresh ? delay : before.delay, to: delay, taps: common.taps)
        let previous = before.filter
        if isFresh || abs(distance - before.designed) > 0.02 * distance {
            reflection.pointee.filter = common.design.filter(image.decibels - common.absorption * distance)
            reflection.pointee.designed = distance
        }
        if isFresh { reflection.pointee.state = OctaveFilterState() }
        let filter = reflection.pointee.filter
        reflection.pointee.state.process(row, frames: block.frames, from: isFresh ? filter : previous, to: filter)
        let pattern = Directivity.factor(settings.directivity, front: image.sign * front, towards: SIMD3.zero - direction)
        let wanted = pattern / distance
        let gain = isFresh ? wanted : Smoother.next(before.gain, to: wanted, share: block.gainShare, tolerance: 1e-6)
        Ramp(from: isFresh ? gain : before.gain, to: gain, frames: block.frames).scale(row, frames: block.frames)
        reflection.pointee.delay = delay
        reflection.pointee.gain = gain
        return direction
    }
}
