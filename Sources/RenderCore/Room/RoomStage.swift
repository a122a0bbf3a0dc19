internal import CRealtime
internal import DSP

/// The room of the present, the one before while both are crossfaded, and the one that waits for that.
///
/// It owns the rooms that it was given; rooms that it no longer needs are returned to the caller.
struct RoomStage: ~Copyable, Sendable {
    typealias Room = UnsafeMutablePointer<RoomScene>

    /// Length of a crossfade, seconds.
    static var fade: Float { @_noLocks @_noAllocation get { 0.08 } }
    /// Time before it, seconds, in which the sound of one late field is copied into the other, a part in each block.
    private static var adoption: Float { @_noLocks @_noAllocation get { 0.01 } }

    // SAFETY: given by the initializer and `take(_:)`; this value alone holds these three until it returns them.
    private(set) nonisolated(unsafe) var present: Room?
    private(set) nonisolated(unsafe) var leaving: Room?
    private nonisolated(unsafe) var coming: Room?
    /// Which of two places `present` has for its reflections; `leaving` has the other.
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

    /// Ends a block.
    /// - Returns: a room that is no longer needed.
    @_noLocks @_noAllocation
    mutating func finish() -> Room? {
        guard share >= 1, let done = leaving else { return nil }
        leaving = nil
        return done
    }
}
