public import Binaural
internal import CRealtime
internal import DSP

/// A room for all objects: their reflections, and the late field that they share.
///
/// Made by the control side or a worker of it, handed over to the audio thread and back to be freed.
public struct RoomScene: ~Copyable, Sendable {
    /// Nil for a free field.
    let geometry: RoomGeometry?
    /// Number of reflections of each object.
    let count: Int
    // SAFETY: owned by this value alone, which cannot be copied; written by the initializer only.
    nonisolated(unsafe) let images: UnsafeMutablePointer<RoomImage>
    // SAFETY: as above. One for each object.
    nonisolated(unsafe) let voices: UnsafeMutablePointer<RoomVoice>
    // SAFETY: as above. Level at which each object feeds the late field, by its directivity and place.
    private nonisolated(unsafe) let sends: UnsafeMutablePointer<Float>
    let objects: Int
    /// Maximum number of objects with reflections of their own, the first ones; others only feed the late field.
    public static var mostReflected: Int { @_noLocks @_noAllocation get { 64 } }
    /// Number of objects with reflections of their own in this room.
    let reflected: Int
    // SAFETY: as above; nil for a free field.
    private nonisolated(unsafe) let late: UnsafeMutablePointer<LateField>?
    /// The late field's input, and then its sound by directions.
    private let field: Rows
    /// Reflections of each object, and the same through the low-pass; each row begins with the samples before the block.
    let rows: Rows
    /// The same for one listener away from the origin.
    let placedRows: Rows
    /// Number of listeners that may be elsewhere than at the origin.
    let listeners: Int
    // SAFETY: owned by this value alone, which cannot be copied. The ends of those rows of the last block, listener by listener.
    private nonisolated(unsafe) let histories: UnsafeMutablePointer<Float>
    private let history: Int
    /// Frames for which reflections sound after their object has ended.
    let tail: Int
    /// Frames until the late field is silent.
    private var remaining = 0
    private var hasInput = false
    /// Level of the late field at the end of the last block; negative before the first one.
    private var level: Float = -1
    /// Lines of another room's late field whose sound was taken over.
    private var adopted = 0

    /// - Parameters:
    ///   - plan: nil for a free field.
    ///   - objects: number of sound objects, the first ones; others are not heard in it.
    ///   - listeners: number of listeners that hear reflections at places of their own.
    ///   - rate: frames per second.
    ///   - period: largest block, frames.
    public init(_ plan: RoomPlan?, objects: Int, listeners: Int = 0, rate: Float, period: Int) {
        geometry = plan.map { RoomGeometry($0.room) }
        count = plan?.images.count ?? 0
        self.objects = plan == nil ? 0 : objects
        images = .allocate(capacity: max(1, count))
        for (index, image) in (plan?.images ?? []).enumerated() { (images + index).initialize(to: image) }
        voices = .allocate(capacity: self.objects)
        let longest = (plan?.longestWay ?? 0) + RoomGeometry.farthestOutside
        for object in 0..<self.objects {
            let count = object < Self.mostReflected ? count : 0
            (voices + object).initialize(
                to: RoomVoice(count: count, listeners: listeners, longest: longest, rate: rate, period: period))
        }
        sends = .allocate(capacity: self.objects)
        sends.initialize(repeating: 0, count: self.objects)
        field = Rows(rows: plan == nil ? 0 : 1 + LateFieldPlan.lines, length: period)
        history = PreparedObjects.history(rate: rate)
        reflected = min(self.objects, Self.mostReflected)
        rows = Rows(rows: 2 * reflected * count, length: history + period)
        self.listeners = listeners
        placedRows = Rows(rows: listeners > 0 ? 2 * reflected * count : 0, length: history + period)
        histories = .allocate(capacity: max(1, listeners * 2 * reflected * count * history))
        if let plan {
            late = .allocate(capacity: 1)
            late?.initialize(to: LateField(plan.late, room: plan.room, rate: rate, period: period))
        } else {
            late = nil
        }
        tail = plan == nil ? 0 : Int(clamping: (longest / MicrophoneArray.speedOfSound + 0.05) * rate)
    }

    deinit {
        images.deallocate()
        voices.deinitialize(count: objects)
        voices.deallocate()
        sends.deallocate()
        histories.deallocate()
        late?.deinitialize(count: 1)
        late?.deallocate()
    }

    /// The end of the last block in a row of ``placedRows``.
    /// - Parameter listener: from 1.
    @_noLocks @_noAllocation
    func past(_ row: Int, listener: Int) -> UnsafeMutablePointer<Float> {
        histories + ((listener &- 1) &* 2 &* reflected &* count &+ row) &* history
    }

    @_noLocks @_noAllocation
    mutating func begin(_ frames: Int) {
        guard geometry != nil else { return }
        rt_zero(field.row(0), roundedToLanes(frames))
        hasInput = false
    }

    /// Adds an object's sound at 1 m to the late field: with the mean power of all directions.
    ///
    /// - Parameter reach: factor of an object outside.
    @_noLocks @_noAllocation
    mutating func send(
        _ object: Int, _ row: UnsafePointer<Float>, _ settings: ObjectSettings, reach: Float, isFresh: Bool, block: Block
    ) {
        let share = settings.directivity
        let wanted = reach * rt_sqrt((1 - share) * (1 - share) + share * share / 3)
        let before = isFresh ? wanted : sends[object]
        sends[object] = Smoother.next(before, to: wanted, share: block.gainShare, tolerance: 1e-5)
        let (sum, ramp) = (field.row(0), Ramp(from: before, to: sends[object], frames: block.frames))
        for i in 0..<block.frames { sum[i] += row[i] * ramp.value(at: i) }
        hasInput = true
    }

    /// Ends the input of a block.
    /// - Returns: whether the late field sounds in it.
    @_noLocks @_noAllocation
    mutating func finish(_ frames: Int) -> Bool {
        guard let late else { return false }
        remaining = hasInput ? late.pointee.tail : max(0, remaining &- frames)
        return remaining > 0
    }

    /// Adds the late field by directions.
    ///
    /// - Parameters:
    ///   - rows: row of the first direction; whole lanes are written.
    ///   - stride: distance between the rows of two directions, samples.
    ///   - wanted: level of the late field, a factor.
    ///   - fade: level of the room.
    @_noLocks @_noAllocation
    mutating func add(to rows: UnsafeMutablePointer<Float>, stride: Int, level wanted: Float, fade: Ramp, block: Block) {
        guard let late else { return }
        let before = level < 0 ? wanted : level
        level = Smoother.next(before, to: wanted, share: block.gainShare, tolerance: 1e-5)
        let (own, distance) = (field.row(1), field.row(2) - field.row(1))
        late.pointee.process(field.row(0), own, stride: distance, frames: block.frames)
        let (first, last) = (before * fade.from, level * (fade.from + fade.step * Float(block.frames)))
        for line in 0..<LateFieldPlan.lines {
            RampedSum.add(own + line &* distance, from: first, to: last, frames: block.frames, onto: rows + line &* stride)
        }
    }

    /// Takes over the sound in some lines of another room's late field, so that reverberation continues while rooms are exchanged.
    /// Each line jumps: nothing may be heard of this room before all have been taken over.
    ///
    /// - Parameter share: share of all lines, 0 to 1.
    /// - Returns: whether all have been.
    @_noLocks @_noAllocation
    mutating func adopt(from other: borrowing RoomScene, share: Float) -> Bool {
        guard let late, let before = other.late else { return true }
        let last = min(LateFieldPlan.lines, adopted &+ Int(rt_whole(min(1, share) * Float(LateFieldPlan.lines))) &+ 1)
        guard adopted < last else { return true }
        for line in adopted..<last { late.pointee.adopt(line, from: before.pointee) }
        adopted = last
        remaining = max(remaining, other.remaining)
        return adopted == LateFieldPlan.lines
    }
}
