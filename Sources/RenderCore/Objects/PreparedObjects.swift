package import Binaural
internal import CRealtime
internal import DSP

/// The audible sound objects of one block, as listeners are rendered from them. Filled by ``ObjectScene`` on the audio thread; other
/// threads receive the sound of each block with ``accept(_:count:rows:shadow:frames:)``.
package struct PreparedObjects: ~Copyable, Sendable {
    // SAFETY: owned by this value alone, which cannot be copied. The audible objects, in order.
    nonisolated(unsafe) let active: UnsafeMutablePointer<ActiveObject>
    /// Number of audible objects.
    package private(set) var activeCount = 0
    package internal(set) var shadow: SphereShadow
    /// For each object its sound, and the same through the low-pass; each row begins with the samples before the block.
    private let rows: Rows
    /// Samples before a block that delayed ears still need.
    let history: Int
    /// Frames of the block before.
    private var lastFrames = 0

    /// Number of places for sounds: one for each object, then those of the sound from all around, then reflections of each object.
    package static func places(objects: Int, reflections: Int = 0) -> Int {
        objects > 0 ? objects + SurroundField.count + objects * reflections : 0
    }

    /// - Parameters:
    ///   - count: number of objects.
    ///   - reflections: number of reflections of each object.
    ///   - rate: frames per second.
    ///   - period: largest block, frames.
    package init(count objects: Int, reflections: Int = 0, shadow: SphereShadow, rate: Float, period: Int) {
        let count = Self.places(objects: objects, reflections: reflections)
        active = .allocate(capacity: count)
        let sphere = SphereShadow.longestDelay(rate: rate) + FractionalTap.count
        let measured = Int(clamping: HRTFTable.longestDelay(rate: rate)) + RampedDelay.least
        history = roundedToLanes(max(sphere, measured) + 1)
        rows = Rows(rows: 2 * count, length: history + period)
        self.shadow = shadow
    }

    deinit { active.deallocate() }

    /// The first frame of an object's row in this block; part 0 is its sound, part 1 the same through the low-pass.
    @_noLocks @_noAllocation
    func row(_ object: Int, _ part: Int) -> UnsafeMutablePointer<Float> { rows.row(2 &* object &+ part) + history }

    /// Begins a block without objects.
    @_noLocks @_noAllocation
    mutating func clear() { activeCount = 0 }

    /// Moves the end of an object's last block before its first frame, or clears that place.
    @_noLocks @_noAllocation
    func keepHistory(_ object: Int, isFresh: Bool) {
        for part in 0..<2 {
            let begin = row(object, part) - history
            if isFresh { rt_zero(begin, history) } else { rt_move(begin, begin + lastFrames, history) }
        }
    }

    /// Adds an object whose rows are filled.
    @_noLocks @_noAllocation
    mutating func add(_ object: ActiveObject) {
        active[activeCount] = object
        activeCount = activeCount &+ 1
    }

    /// Ends a block, after its objects were added.
    @_noLocks @_noAllocation
    mutating func finish(_ frames: Int) { lastFrames = frames }

    // MARK: To other threads

    /// Floats that ``copy(to:rows:frames:)`` writes for one object.
    @_noLocks @_noAllocation
    package static func length(frames: Int) -> Int { 2 &* roundedToLanes(frames) }

    /// Copies the objects of a block.
    ///
    /// - Parameters:
    ///   - objects: receives the audible objects.
    ///   - rows: receives the block of both rows of each, ``length(frames:)`` floats.
    @_noLocks @_noAllocation
    package func copy(to objects: UnsafeMutablePointer<ActiveObject>, rows: UnsafeMutablePointer<Float>, frames: Int) {
        let length = roundedToLanes(frames)
        for i in 0..<activeCount {
            objects[i] = active[i]
            for part in 0..<2 { rt_copy(rows + (2 &* i &+ part) &* length, row(active[i].object, part), length) }
        }
    }

    /// Takes the objects that ``copy(to:rows:frames:)`` has written on another thread.
    @_noLocks @_noAllocation
    package mutating func accept(
        _ objects: UnsafePointer<ActiveObject>, count: Int, rows: UnsafePointer<Float>, shadow: SphereShadow, frames: Int
    ) {
        self.shadow = shadow
        let length = roundedToLanes(frames)
        clear()
        for i in 0..<count {
            keepHistory(objects[i].object, isFresh: objects[i].isFresh)
            for part in 0..<2 { rt_copy(row(objects[i].object, part), rows + (2 &* i &+ part) &* length, length) }
            add(objects[i])
        }
        finish(frames)
    }

    /// Adds the next block of the objects that ``accept(_:count:rows:shadow:frames:)`` has taken.
    /// - Returns: false when the audible objects are not the same.
    @_noLocks @_noAllocation
    package mutating func append(
        _ objects: UnsafePointer<ActiveObject>, count: Int, rows: UnsafePointer<Float>, frames: Int
    ) -> Bool {
        guard count == activeCount else { return false }
        for i in 0..<count where objects[i].object != active[i].object || objects[i].isFresh { return false }
        let length = roundedToLanes(frames)
        for i in 0..<count {
            active[i].direction = objects[i].direction
            for part in 0..<2 {
                // Room for a whole lane more, since whole lanes are copied, zeros at the end among them.
                rt_copy(row(objects[i].object, part) + lastFrames, rows + (2 &* i &+ part) &* length, length)
            }
        }
        finish(lastFrames &+ frames)
        return true
    }
}
