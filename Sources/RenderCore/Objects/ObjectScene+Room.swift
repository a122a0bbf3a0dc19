internal import Binaural
internal import CRealtime
internal import DSP

/// The objects' room: reflections, the late field, walls between objects and listeners.
extension ObjectScene {
    /// Takes ownership of a room, which fades in.
    /// - Returns: a room that is not needed, because it was still waiting.
    @_noLocks @_noAllocation
    package mutating func take(_ room: UnsafeMutablePointer<RoomScene>) -> UnsafeMutablePointer<RoomScene>? {
        rooms.take(room)
    }

    /// Returns the room that has faded out, once; call it after every block.
    @_noLocks @_noAllocation
    package mutating func releaseRoom() -> UnsafeMutablePointer<RoomScene>? { rooms.finish() }

    @_noLocks @_noAllocation
    mutating func beginRooms(_ block: Block) {
        rooms.begin(block)
        if let room = rooms.present { prepared.use(room.pointee.rows, bank: rooms.bank) }
        if let room = rooms.leaving { prepared.use(room.pointee.rows, bank: 1 &- rooms.bank) }
        for i in 0..<SurroundField.count {
            for part in 0..<2 {
                guard let row = prepared.shared(i, part) else { return }
                prepared.keepHistory(row, isFresh: false)
                rt_zero(row, roundedToLanes(block.frames))
            }
        }
    }

    /// Levels that the wall between a place in the world and the listeners leaves, decibels in the octaves.
    @_noLocks @_noAllocation
    func wall(_ place: SIMD3<Float>) -> SIMD8<Float> {
        guard let geometry = rooms.present?.pointee.geometry else { return .zero }
        return geometry.transmission(geometry.inRoom(place: place))
    }

    /// Adds the reflections of an object, and its share of the late field.
    ///
    /// - Parameters:
    ///   - row: sound at 1 m.
    ///   - place: in the world.
    @_noLocks @_noAllocation
    mutating func reflect(
        _ object: Int, _ row: UnsafePointer<Float>, _ settings: ObjectSettings, _ place: SIMD3<Float>, isFresh: Bool, _ block: Block
    ) {
        let (present, leaving, bank) = (rooms.present, rooms.leaving, rooms.bank)
        if let present {
            reflect(present, bank, rooms.ramp, object, row, settings, place, isFresh: isFresh, block)
        }
        if let leaving {
            reflect(leaving, 1 &- bank, rooms.leavingRamp, object, row, settings, place, isFresh: isFresh, block)
        }
    }

    @_noLocks @_noAllocation
    private mutating func reflect(
        _ room: UnsafeMutablePointer<RoomScene>, _ bank: Int, _ fade: Ramp, _ object: Int, _ row: UnsafePointer<Float>,
        _ settings: ObjectSettings, _ place: SIMD3<Float>, isFresh: Bool, _ block: Block
    ) {
        guard let geometry = room.pointee.geometry else { return }
        let voice = room.pointee.voices + object
        let begins = voice.pointee.take(row, place: geometry.inRoom(place: place), in: geometry, isFresh: isFresh, block: block)
        let late = spare.row(2)
        voice.pointee.late(row, late, begins: begins, propagation, block: block)
        // Into a room that comes while the object sounds, its sound fades.
        room.pointee.send(object, late, settings, reach: voice.pointee.reach, isFresh: begins && isFresh, block: block)
        let front = geometry.inRoom(direction: Directivity.front(yaw: settings.yaw, pitch: settings.pitch))
        let count = room.pointee.count
        let first = prepared.place(bank: bank) &+ object &* count
        for number in 0..<count {
            let place = first &+ number
            prepared.keepHistory(place, isFresh: begins)
            let row = prepared.row(place, 0)
            let before = voice.pointee.direction(number)
            let from = voice.pointee.reflect(
                number, room.pointee.images[number], row, settings, front: front, listener: geometry.listener,
                level: roomLevels.early, isFresh: begins, propagation, block: block)
            if !fade.isOne { fade.scale(row, frames: block.frames) }
            let direction = geometry.inWorld(direction: from)
            add(place, direction, isFresh: begins, block)
            share(row, from: begins ? direction : geometry.inWorld(direction: before), to: direction, block)
        }
    }

    // MARK: Late field

    /// Ends the rooms' input of a block.
    /// - Returns: whether a late field sounds in it.
    @_noLocks @_noAllocation
    mutating func finishRooms(_ block: Block) -> Bool {
        let isPresent = rooms.present?.pointee.finish(block.frames) ?? false
        let isLeaving = rooms.leaving?.pointee.finish(block.frames) ?? false
        return isPresent || isLeaving
    }

    /// Adds the late fields to the sound from all around.
    @_noLocks @_noAllocation
    mutating func addLate(_ block: Block) {
        let first = prepared.row(count, 0)
        let stride = prepared.row(count &+ 1, 0) - first
        let (present, leaving) = (rooms.present, rooms.leaving)
        present?.pointee.add(to: first, stride: stride, level: roomLevels.late, fade: rooms.ramp, block: block)
        leaving?.pointee.add(to: first, stride: stride, level: roomLevels.late, fade: rooms.leavingRamp, block: block)
    }

    // MARK: For other threads

    /// Adds a reflection to the sound from all around as other threads receive it.
    ///
    /// - Parameters:
    ///   - before, direction: from which it comes just before the block and at its end, in the world.
    @_noLocks @_noAllocation
    private func share(
        _ row: UnsafePointer<Float>, from before: SIMD3<Float>, to direction: SIMD3<Float>, _ block: Block
    ) {
        guard prepared.shared(0, 0) != nil else { return }
        let now = DirectionShares(direction).values
        let past = before == direction ? now : DirectionShares(before).values
        for i in 0..<SurroundField.count where past[i] != 0 || now[i] != 0 {
            guard let sum = prepared.shared(i, 0) else { return }
            RampedSum.add(row, from: past[i], to: now[i], frames: block.frames, onto: sum)
        }
    }

    /// Completes the sound from all around as other threads receive it.
    @_noLocks @_noAllocation
    mutating func share(_ block: Block) {
        for i in 0..<SurroundField.count {
            guard let whole = prepared.shared(i, 0), let low = prepared.shared(i, 1) else { return }
            RampedSum.add(prepared.row(count &+ i, 0), from: 1, to: 1, frames: block.frames, onto: whole)
            rt_zero(whole + block.frames, roundedToLanes(block.frames) &- block.frames)
            prepared.shadow.lowPass(whole, low, frames: block.frames)
            // The low-pass is recursive: its last sample is its state.
            if !(abs(low[block.frames &- 1]) <= SoundRange.limit) {
                rt_zero(whole - prepared.history, prepared.history &+ roundedToLanes(block.frames))
                rt_zero(low - prepared.history, prepared.history &+ roundedToLanes(block.frames))
            }
        }
    }
}
