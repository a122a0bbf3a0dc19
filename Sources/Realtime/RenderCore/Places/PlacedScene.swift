package import Binaural
internal import CRealtime
internal import DSP

/// The objects of one block for a listener away from the origin. One for each thread, filled for one listener after the other.
package struct PlacedScene: ~Copyable, Sendable {
    /// The block that the listener is rendered from.
    package internal(set) var prepared: PreparedObjects
    private let spare: Rows
    private let objects: Int
    private let history: Int

    /// - Parameters:
    ///   - objects: number of sound objects.
    ///   - reflections: largest number of reflections of each object.
    ///   - rate: frames per second.
    ///   - period: largest block, frames.
    package init(objects: Int, reflections: Int = 0, rate: Float, period: Int) {
        self.objects = objects
        history = PreparedObjects.history(rate: rate)
        spare = Rows(rows: 1, length: period)
        prepared = PreparedObjects(
            count: objects, reflections: reflections, shadow: SphereShadow(radius: Float(MicrophoneArray.standardRadius), rate: rate),
            rate: rate, period: period)
    }

    /// Begins a block of one listener.
    @_noLocks @_noAllocation
    mutating func begin(_ listener: inout PlacedListener, shadow: SphereShadow, frames: Int) {
        prepared.clear()
        prepared.shadow = shadow
        if listener.isBeginning {
            listener.surround.clear()
            listener.wasSurrounded = false
        }
        listener.surround.begin(frames)
    }

    /// Adds an object.
    ///
    /// - Parameters:
    ///   - entry: the object as it is heard at the origin, in `shared`.
    ///   - wall: levels that the walls between the object and the listener leave, decibels in the octaves.
    @_noLocks @_noAllocation
    mutating func add(
        _ entry: ActiveObject, _ listener: inout PlacedListener, _ shared: borrowing PreparedObjects, _ sources: borrowing ObjectSources,
        wall: SIMD8<Float>, _ common: borrowing Propagation, block: Block
    ) {
        let (object, row) = (entry.object, prepared.row(entry.object, 0))
        restore(object, listener, shared, isFresh: entry.isFresh)
        let path = listener.paths + object
        let around = path.pointee.process(
            object, sources, row, place: listener.place, wall: wall, isFresh: entry.isFresh || listener.isBeginning, common, block: block,
            spare: spare.row(0))
        if !around.isZero { listener.surround.take(row, spread: around, frames: block.frames) }
        let direction = path.pointee.direction
        blend(row, shared.row(object, 0), listener.share, block.frames)
        add(object, direction, isFresh: entry.isFresh, block.frames)
        keep(object, listener, block.frames)
    }

    /// Adds the sound from all around, and ends the block of the listener.
    ///
    /// - Parameters:
    ///   - late: row of the first direction of what all listeners hear from all around; nil for silence.
    ///   - stride: distance between the rows of two directions, samples.
    ///   - isShared: whether sound comes from all around at the origin.
    @_noLocks @_noAllocation
    mutating func finish(
        _ listener: inout PlacedListener, _ shared: borrowing PreparedObjects, late: UnsafePointer<Float>?, stride: Int, isShared: Bool,
        block: Block
    ) {
        let isAround = listener.surround.finish(block.frames)
        let isSounding = isAround || late != nil || (isShared && !listener.share.isOne)
        if isSounding || listener.wasSurrounded {
            let isFresh = !listener.wasSurrounded && !(listener.isBeginning && isShared)
            for i in 0..<SurroundField.count {
                let row = prepared.row(objects &+ i, 0)
                restore(objects &+ i, listener, shared, isFresh: isFresh)
                if let late { rt_copy(row, late + i &* stride, block.frames) } else { rt_zero(row, block.frames) }
                rt_zero(row + block.frames, roundedToLanes(block.frames) &- block.frames)
                if isAround { listener.surround.add(i, to: row, frames: block.frames) }
                if isShared { blend(row, shared.row(objects &+ i, 0), listener.share, block.frames) }
                add(objects &+ i, LateDirections.direction(i, of: SurroundField.count), isFresh: isFresh, block.frames)
                keep(objects &+ i, listener, block.frames)
            }
        }
        listener.wasSurrounded = isSounding
        prepared.finish(block.frames)
        listener.finish()
    }

    /// Adds a row that is filled but for its low-pass.
    @_noLocks @_noAllocation
    mutating func add(_ place: Int, _ direction: SIMD3<Float>, isFresh: Bool, _ frames: Int) {
        let (whole, low) = (prepared.row(place, 0), prepared.row(place, 1))
        // Whole lanes are read.
        rt_zero(whole + frames, roundedToLanes(frames) &- frames)
        prepared.shadow.lowPass(whole, low, frames: frames)
        // The low-pass is recursive: its last sample is its state.
        if !(abs(low[frames &- 1]) <= SoundRange.limit) {
            rt_zero(whole - history, history &+ roundedToLanes(frames))
            rt_zero(low - history, history &+ roundedToLanes(frames))
        }
        prepared.add(ActiveObject(object: place, direction: direction, isFresh: isFresh))
    }

    /// Fills ``prepared`` for a listener that is elsewhere than at the origin, on a thread that receives the objects from another. What
    /// comes from all around there, the reflections among it, is heard as at the origin.
    ///
    /// - Parameters:
    ///   - shared: the block as it is heard at the origin.
    ///   - room: that the objects are in; nil for a free field.
    @_noLocks @_noAllocation
    package mutating func place(
        _ listener: UnsafeMutablePointer<PlacedListener>, _ shared: borrowing PreparedObjects, _ sources: borrowing ObjectSources,
        room: RoomGeometry?, _ common: borrowing Propagation, block: Block
    ) {
        begin(&listener.pointee, shadow: shared.shadow, frames: block.frames)
        let now = listener.pointee.place.now
        var isShared = false
        for i in 0..<shared.activeCount {
            let entry = shared.active[i]
            guard entry.object < objects else {
                isShared = true
                continue
            }
            var wall = SIMD8<Float>.zero
            if let room { wall = room.transmission(room.inRoom(place: sources.sites[entry.object].place), to: room.inRoom(place: now)) }
            add(entry, &listener.pointee, shared, sources, wall: wall, common, block: block)
        }
        let first = sources.row(objects)
        finish(
            &listener.pointee, shared, late: isShared ? UnsafePointer(first) : nil, stride: sources.row(objects &+ 1) - first,
            isShared: isShared, block: block)
    }

    // MARK: Past and origin

    /// Crossfades from the sound at the origin to that at the listener's place, or back.
    @_noLocks @_noAllocation
    func blend(_ row: UnsafeMutablePointer<Float>, _ origin: UnsafePointer<Float>, _ share: Ramp, _ frames: Int) {
        guard !share.isOne else { return }
        share.crossfade(from: origin, to: row, into: row, frames: frames)
    }

    @_noLocks @_noAllocation
    private func restore(_ place: Int, _ listener: borrowing PlacedListener, _ shared: borrowing PreparedObjects, isFresh: Bool) {
        for part in 0..<2 {
            let begin = prepared.row(place, part) - history
            if isFresh {
                rt_zero(begin, history)
            } else {
                rt_copy(begin, listener.isBeginning ? shared.row(place, part) - history : listener.past(place, part), history)
            }
        }
    }

    @_noLocks @_noAllocation
    private func keep(_ place: Int, _ listener: borrowing PlacedListener, _ frames: Int) {
        for part in 0..<2 { rt_copy(listener.past(place, part), prepared.row(place, part) + (frames &- history), history) }
    }
}
