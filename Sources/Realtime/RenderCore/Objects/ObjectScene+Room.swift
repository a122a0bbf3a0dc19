internal import Binaural
internal import CRealtime
internal import DSP

/// The objects' room: reflections, the late field, walls between objects and listeners.
extension ObjectScene {
    @_noLocks @_noAllocation
    mutating func beginRooms(_ block: Block) {
        rooms.begin(block)
        if let room = rooms.present { prepared.use(room.pointee.rows, bank: rooms.bank) }
        if let room = rooms.leaving { prepared.use(room.pointee.rows, bank: 1 &- rooms.bank) }
    }

    /// Adds the reflections of an object, and its share of the late field.
    ///
    /// - Parameters:
    ///   - row: sound at 1 m.
    ///   - place: in the world.
    ///   - spare: working memory for a block.
    @_noLocks @_noAllocation
    mutating func reflect(
        _ object: Int, _ row: UnsafePointer<Float>, _ settings: ObjectSettings, _ place: SIMD3<Float>,
        spare: UnsafeMutablePointer<Float>, isFresh: Bool, _ block: Block
    ) {
        let (present, leaving, bank) = (rooms.present, rooms.leaving, rooms.bank)
        if let present {
            reflect(present, bank, rooms.ramp, object, row, settings, place, spare: spare, isFresh: isFresh, block)
        }
        if let leaving {
            reflect(leaving, 1 &- bank, rooms.leavingRamp, object, row, settings, place, spare: spare, isFresh: isFresh, block)
        }
    }

    @_noLocks @_noAllocation
    private mutating func reflect(
        _ room: UnsafeMutablePointer<RoomScene>, _ bank: Int, _ fade: Ramp, _ object: Int, _ row: UnsafePointer<Float>,
        _ settings: ObjectSettings, _ place: SIMD3<Float>, spare late: UnsafeMutablePointer<Float>, isFresh: Bool, _ block: Block
    ) {
        guard let geometry = room.pointee.geometry, object < room.pointee.objects else { return }
        let voice = room.pointee.voices + object
        let begins = voice.pointee.take(row, place: geometry.inRoom(place: place), in: geometry, isFresh: isFresh, block: block)
        voice.pointee.late(row, late, begins: begins, propagation, block: block)
        // Into a room that comes while the object sounds, its sound fades.
        room.pointee.send(object, late, settings, reach: voice.pointee.reach, isFresh: begins && isFresh, block: block)
        let front = geometry.inRoom(direction: Directivity.front(yaw: settings.yaw, pitch: settings.pitch))
        guard object < room.pointee.reflected else { return }
        let count = room.pointee.count
        let first = prepared.place(bank: bank) &+ object &* count
        for number in 0..<count {
            let place = first &+ number
            prepared.keepHistory(place, isFresh: begins)
            let row = prepared.row(place, 0)
            let before = voice.pointee.direction(number)
            let from = voice.pointee.reflect(
                number, for: 0, room.pointee.images[number], row, settings, front: front, listener: geometry.listener,
                level: roomLevels.early, isFresh: begins, propagation, block: block)
            if !fade.isOne { fade.scale(row, frames: block.frames) }
            let direction = geometry.inWorld(direction: from)
            let share = encoded(object)
            add(place, direction, encoded: share, isFresh: begins, block)
            if share.isDirect {
                surround.share(
                    row, from: begins ? direction : geometry.inWorld(direction: before), to: direction, prepared, block)
            }
        }
    }
}
