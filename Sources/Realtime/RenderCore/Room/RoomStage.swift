internal import Binaural
internal import CRealtime
internal import DSP

/// The current room, the previous one during a crossfade, and the next one.
///
/// It owns the rooms that it was given; rooms that it no longer needs are returned to the caller.
struct RoomStage: ~Copyable, Sendable {
    typealias Room = UnsafeMutablePointer<RoomScene>

    /// Length of a crossfade, seconds.
    static var fade: Float { @_noLocks @_noAllocation get { SmoothingTime.room } }
    /// Time before it, seconds, in which the sound of one late field is copied into the other, a part in each block.
    private static var adoption: Float { @_noLocks @_noAllocation get { 0.01 } }

    // SAFETY: given by the initializer and `take(_:)`; this value alone holds these three until it returns them.
    private(set) nonisolated(unsafe) var present: Room?
    private(set) nonisolated(unsafe) var leaving: Room?
    private nonisolated(unsafe) var coming: Room?
    /// Index of the place that `present` has for its reflections, of two; `leaving` has the other.
    private(set) var bank = 0
    /// Level of `present`; the rest is `leaving`.
    private var share: Float = 1
    /// The same over the block.
    private(set) var ramp = Ramp(from: 1, step: 0)
    private var hasBegun = false

    /// - Parameter room: sounds from the first block on.
    init(_ room: consuming RoomScene?) {
        guard let room else { return }
        present = .allocate(capacity: 1)
        present?.initialize(to: room)
    }

    // SAFETY: a renderer ends on the control side, which may free the rooms that are left.
    deinit {
        for room in [present, leaving, coming] {
            room?.deinitialize(count: 1)
            room?.deallocate()
        }
    }

    /// Whether the objects are in a room.
    var isRoom: Bool { @_noLocks @_noAllocation get { present?.pointee.geometry != nil } }

    /// Frames for which reflections sound after their object has ended.
    var tail: Int { @_noLocks @_noAllocation get { max(present?.pointee.tail ?? 0, leaving?.pointee.tail ?? 0) } }

    /// Takes another room.
    /// - Returns: a room that was waiting and will not be heard.
    @_noLocks @_noAllocation
    mutating func take(_ next: Room) -> Room? {
        let skipped = coming
        coming = next
        return skipped
    }

    /// Begins a block, and a crossfade if there is another room and no crossfade in progress.
    @_noLocks @_noAllocation
    mutating func begin(_ block: Block) {
        if let next = coming, leaving == nil, share >= 1 {
            (leaving, present, coming) = (present, next, nil)
            bank = 1 &- bank
            // Before the first block there is nothing to fade from.
            share = hasBegun ? 0 : 1
        }
        hasBegun = true
        var reached = min(1, share + block.seconds / Self.fade)
        if share == 0, let before = leaving, present?.pointee.adopt(from: before.pointee, share: block.seconds / Self.adoption) == false {
            reached = 0
        }
        ramp = Ramp(from: share, to: reached, frames: block.frames)
        share = reached
        present?.pointee.begin(block.frames)
        leaving?.pointee.begin(block.frames)
    }

    /// Level of the room that leaves over the block.
    var leavingRamp: Ramp { @_noLocks @_noAllocation get { Ramp(from: 1 - ramp.from, step: 0 - ramp.step) } }

    /// Ends the rooms' input of a block.
    /// - Returns: whether a late field sounds in it.
    @_noLocks @_noAllocation
    func finishInput(_ frames: Int) -> Bool {
        let isPresent = present?.pointee.finish(frames) ?? false
        let isLeaving = leaving?.pointee.finish(frames) ?? false
        return isPresent || isLeaving
    }

    /// Adds the late fields to rows of sound from all around.
    @_noLocks @_noAllocation
    func addLate(to first: UnsafeMutablePointer<Float>, stride: Int, level: Float, block: Block) {
        present?.pointee.add(to: first, stride: stride, level: level, fade: ramp, block: block)
        leaving?.pointee.add(to: first, stride: stride, level: level, fade: leavingRamp, block: block)
    }

    /// Levels that the wall between a place in the world and the listeners leaves, decibels in the octaves.
    @_noLocks @_noAllocation
    func wall(_ place: SIMD3<Float>) -> SIMD8<Float> {
        guard let geometry = present?.pointee.geometry else { return .zero }
        return geometry.transmission(geometry.inRoom(place: place))
    }

    /// Ends a block.
    /// - Returns: a room that is no longer needed.
    @_noLocks @_noAllocation
    mutating func finish() -> Room? {
        guard share >= 1, let done = leaving else { return nil }
        leaving = nil
        return done
    }
}
