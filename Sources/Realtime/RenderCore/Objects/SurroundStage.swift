internal import Binaural
internal import CRealtime
internal import DSP

/// Sound from all around: the objects' shares of it, the rooms' late fields, and what other threads receive of both.
struct SurroundStage: ~Copyable, Sendable {
    private var field: SurroundField
    /// Number of objects, whose rows the directions' rows follow.
    private let objects: Int
    /// The late field of the current block where sound from bubbles was added to it; see
    /// ``PlacedScene/finish(_:_:late:stride:isShared:block:)``.
    private let lates: Rows
    /// Whether a late field sounds in the current block.
    private(set) var isLate = false
    /// Whether sound from bubbles was added in the current block.
    private(set) var isMixed = false
    /// Whether either sounded in the block before.
    private var wasHeard = false

    /// - Parameters:
    ///   - period: largest block, frames.
    ///   - keepsLate: whether there are listeners that are not at the origin.
    init(objects: Int, rate: Float, period: Int, keepsLate: Bool) {
        self.objects = objects
        field = SurroundField(rate: rate, period: period)
        lates = Rows(rows: keepsLate ? SurroundField.count : 0, length: period)
    }

    /// Begins a block with silence.
    @_noLocks @_noAllocation
    mutating func begin(_ prepared: borrowing PreparedObjects, _ block: Block) {
        field.begin(block.frames)
        for i in 0..<SurroundField.count {
            for part in 0..<2 {
                guard let row = prepared.shared(i, part) else { return }
                prepared.keepHistory(row, isFresh: false)
                rt_zero(row, roundedToLanes(block.frames))
            }
        }
    }

    /// Moves a share of an object's row into the field.
    @_noLocks @_noAllocation
    mutating func take(_ row: UnsafeMutablePointer<Float>, spread: Ramp, frames: Int) { field.take(row, spread: spread, frames: frames) }

    /// Adds a reflection to the sound from all around as other threads receive it.
    ///
    /// - Parameters:
    ///   - before, direction: from which it comes just before the block and at its end, in the world.
    @_noLocks @_noAllocation
    func share(
        _ row: UnsafePointer<Float>, from before: SIMD3<Float>, to direction: SIMD3<Float>, _ prepared: borrowing PreparedObjects,
        _ block: Block
    ) {
        guard prepared.shared(0, 0) != nil else { return }
        let now = DirectionShares(direction).values
        let past = before == direction ? now : DirectionShares(before).values
        for i in 0..<SurroundField.count where past[i] != 0 || now[i] != 0 {
            guard let sum = prepared.shared(i, 0) else { return }
            RampedSum.add(row, from: past[i], to: now[i], frames: block.frames, onto: sum)
        }
    }

    /// Ends the input of a block, and fills the directions' rows with the late fields and the objects' shares.
    ///
    /// - Parameter isKept: whether the late fields are kept apart, for listeners that are not at the origin.
    /// - Returns: whether the rows begin; nil when there is nothing to hear in them.
    @_noLocks @_noAllocation
    mutating func finish(
        _ prepared: borrowing PreparedObjects, _ rooms: borrowing RoomStage, level: Float, isKept: Bool, _ block: Block
    ) -> Bool? {
        let wasHeard = wasHeard
        isLate = rooms.finishInput(block.frames)
        isMixed = field.finish(block.frames)
        self.wasHeard = isLate || isMixed
        // Low-passes and ears hear the end of it for one block more.
        guard self.wasHeard || wasHeard else { return nil }
        for i in 0..<SurroundField.count {
            prepared.keepHistory(objects &+ i, isFresh: !wasHeard)
            rt_zero(prepared.row(objects &+ i, 0), roundedToLanes(block.frames))
        }
        let (first, stride) = rows(of: prepared)
        if isLate { rooms.addLate(to: first, stride: stride, level: level, block: block) }
        if isLate, isMixed, isKept {
            for i in 0..<SurroundField.count { rt_copy(lates.row(i), prepared.row(objects &+ i, 0), block.frames) }
        }
        if isMixed {
            for i in 0..<SurroundField.count { field.add(i, to: prepared.row(objects &+ i, 0), frames: block.frames) }
        }
        return !wasHeard
    }

    /// The late fields of the current block without the sound of bubbles: the first row, and the distance between rows.
    @_noLocks @_noAllocation
    func late(_ prepared: borrowing PreparedObjects) -> (first: UnsafeMutablePointer<Float>, stride: Int) {
        isMixed ? (lates.row(0), lates.row(1) - lates.row(0)) : rows(of: prepared)
    }

    @_noLocks @_noAllocation
    private func rows(of prepared: borrowing PreparedObjects) -> (first: UnsafeMutablePointer<Float>, stride: Int) {
        let first = prepared.row(objects, 0)
        return (first, prepared.row(objects &+ 1, 0) - first)
    }

    // MARK: To other threads

    /// Completes the sound from all around as other threads receive it.
    ///
    /// - Parameter sources: receive the sound without that of bubbles, for listeners that are not at the origin.
    @_noLocks @_noAllocation
    func share(_ prepared: borrowing PreparedObjects, _ sources: borrowing ObjectSources, _ block: Block) {
        for i in 0..<SurroundField.count {
            guard let whole = prepared.shared(i, 0), let low = prepared.shared(i, 1) else { return }
            if sources.count > 0 { keepPlain(i, reflections: whole, prepared, sources, block) }
            RampedSum.add(prepared.row(objects &+ i, 0), from: 1, to: 1, frames: block.frames, onto: whole)
            rt_zero(whole + block.frames, roundedToLanes(block.frames) &- block.frames)
            prepared.shadow.lowPass(whole, low, frames: block.frames)
            // The low-pass is recursive: its last sample is its state.
            if !(abs(low[block.frames &- 1]) <= SoundRange.limit) {
                rt_zero(whole - prepared.history, prepared.history &+ roundedToLanes(block.frames))
                rt_zero(low - prepared.history, prepared.history &+ roundedToLanes(block.frames))
            }
        }
    }

    /// Keeps the sound from a direction without that of bubbles.
    ///
    /// - Parameter reflections: those of the current block from the direction.
    @_noLocks @_noAllocation
    private func keepPlain(
        _ direction: Int, reflections: UnsafePointer<Float>, _ prepared: borrowing PreparedObjects, _ sources: borrowing ObjectSources,
        _ block: Block
    ) {
        let plain = sources.row(objects &+ direction)
        rt_copy(plain, reflections, block.frames)
        guard isLate else { return }
        let late = isMixed ? lates.row(direction) : prepared.row(objects &+ direction, 0)
        RampedSum.add(late, from: 1, to: 1, frames: block.frames, onto: plain)
    }
}
