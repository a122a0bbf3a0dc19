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
    /// Rows of the sound from all around as other threads receive it, with the reflections; none unless these are shared.
    private let around: Rows
    private let isShared: Bool
    /// Number of places that do not belong to a room.
    private let own: Int
    private let objects: Int
    /// Places for the reflections in one of two rooms.
    private let reflections: Int
    // SAFETY: owned by the rooms, which outlive the block. The first rows of the reflections in both rooms.
    private nonisolated(unsafe) var rooms: (UnsafeMutablePointer<Float>?, UnsafeMutablePointer<Float>?) = (nil, nil)
    /// Distance between the rows of the reflections in both rooms.
    private var strides = (0, 0)
    /// Samples before a block that delayed ears still need.
    let history: Int
    /// Frames of the block before.
    private var lastFrames = 0

    /// Number of places for sounds: one for each object, then those of the sound from all around, then reflections of the first
    /// ``RoomScene/mostReflected`` objects in one room and in another, which is crossfaded to.
    package static func places(objects: Int, reflections: Int = 0) -> Int {
        objects > 0 ? objects + SurroundField.count + 2 * min(objects, RoomScene.mostReflected) * reflections : 0
    }

    /// Samples before a block that delayed ears still need.
    static func history(rate: Float) -> Int {
        let sphere = SphereShadow.longestDelay(rate: rate) + FractionalTap.count
        let measured = Int(clamping: HRTFTable.longestDelay(rate: rate)) + RampedDelay.least
        return roundedToLanes(max(sphere, measured) + 1)
    }

    /// - Parameters:
    ///   - count: number of objects.
    ///   - reflections: largest number of reflections of each object, whose rows are those of a room.
    ///   - isShared: whether other threads receive the sound.
    ///   - rate: frames per second.
    ///   - period: largest block, frames.
    package init(count objects: Int, reflections: Int = 0, isShared: Bool = false, shadow: SphereShadow, rate: Float, period: Int) {
        active = .allocate(capacity: Self.places(objects: objects, reflections: reflections))
        history = Self.history(rate: rate)
        own = Self.places(objects: objects)
        (self.objects, self.reflections) = (objects, min(objects, RoomScene.mostReflected) * reflections)
        rows = Rows(rows: 2 * own, length: history + period)
        self.isShared = isShared && objects > 0 && reflections > 0
        around = Rows(rows: self.isShared ? 2 * SurroundField.count : 0, length: history + period)
        self.shadow = shadow
    }

    deinit { active.deallocate() }

    /// The first frame of an object's row in this block; part 0 is its sound, part 1 the same through the low-pass.
    @_noLocks @_noAllocation
    func row(_ object: Int, _ part: Int) -> UnsafeMutablePointer<Float> {
        guard object >= own else { return rows.row(2 &* object &+ part) + history }
        let place = object &- own
        let isSecond = place >= reflections
        guard let first = isSecond ? rooms.1 : rooms.0 else { return rows.row(0) + history }
        let row = 2 &* (isSecond ? place &- reflections : place) &+ part
        return first + (row &* (isSecond ? strides.1 : strides.0) &+ history)
    }

    /// The first row of the sound from all around as other threads receive it; see ``row(_:_:)``. Nil when they do not.
    @_noLocks @_noAllocation
    func shared(_ direction: Int, _ part: Int) -> UnsafeMutablePointer<Float>? {
        isShared ? around.row(2 &* direction &+ part) + history : nil
    }

    /// The place of the first reflection in one of two rooms.
    @_noLocks @_noAllocation
    func place(bank: Int) -> Int { own &+ bank &* reflections }

    /// Begins a block without objects.
    @_noLocks @_noAllocation
    mutating func clear() { activeCount = 0 }

    /// Uses the rows of a room for the reflections in it.
    @_noLocks @_noAllocation
    mutating func use(_ rows: borrowing Rows, bank: Int) {
        if bank == 0 { (rooms.0, strides.0) = (rows.samples, rows.stride) } else { (rooms.1, strides.1) = (rows.samples, rows.stride) }
    }

    /// Moves the end of an object's last block before its first frame, or clears that place.
    @_noLocks @_noAllocation
    func keepHistory(_ object: Int, isFresh: Bool) { for part in 0..<2 { keepHistory(row(object, part), isFresh: isFresh) } }

    /// Moves the end of a row's last block before its first frame, or clears that place.
    @_noLocks @_noAllocation
    func keepHistory(_ row: UnsafeMutablePointer<Float>, isFresh: Bool) {
        let begin = row - history
        if isFresh { rt_zero(begin, history) } else { rt_move(begin, begin + lastFrames, history) }
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

    /// Copies the objects of a block, and the sound from all around with the reflections.
    ///
    /// - Parameters:
    ///   - objects: receives the audible objects.
    ///   - rows: receives the block of both rows of each, ``length(frames:)`` floats.
    /// - Returns: the number of objects.
    @_noLocks @_noAllocation
    package func copy(to objects: UnsafeMutablePointer<ActiveObject>, rows: UnsafeMutablePointer<Float>, frames: Int) -> Int {
        let length = roundedToLanes(frames)
        var count = 0
        for i in 0..<activeCount where active[i].object < own {
            objects[count] = active[i]
            let direction = active[i].object &- self.objects
            for part in 0..<2 {
                let row = direction >= 0 ? shared(direction, part) ?? row(active[i].object, part) : row(active[i].object, part)
                rt_copy(rows + (2 &* count &+ part) &* length, row, length)
            }
            count = count &+ 1
        }
        return count
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
