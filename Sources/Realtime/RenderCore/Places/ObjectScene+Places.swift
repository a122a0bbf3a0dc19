package import Binaural
internal import CRealtime
internal import DSP

/// The objects for listeners that are not at the origin.
extension ObjectScene {
    /// Fills ``placed`` with the objects of the current block as a listener hears them.
    ///
    /// - Parameters:
    ///   - listener: elsewhere than at the origin.
    ///   - number: of the listener on this thread, from 1.
    @_noLocks @_noAllocation
    package mutating func place(_ listener: UnsafeMutablePointer<PlacedListener>, number: Int, block: Block) {
        placed.begin(&listener.pointee, shadow: prepared.shadow, frames: block.frames)
        let now = listener.pointee.place.now
        let away = max(Self.length(now), Self.length(listener.pointee.place.wanted))
        reach.present = max(reach.present, away)
        let (present, leaving, bank) = (rooms.present, rooms.leaving, rooms.bank)
        use(present, bank, number)
        use(leaving, 1 &- bank, number)
        for i in 0..<prepared.activeCount {
            let entry = prepared.active[i]
            guard entry.object < count else { continue }
            var wall = SIMD8<Float>.zero
            if let geometry = present?.pointee.geometry {
                wall = geometry.transmission(
                    geometry.inRoom(place: sources.sites[entry.object].place), to: geometry.inRoom(place: now))
            }
            placed.add(entry, &listener.pointee, prepared, sources, wall: wall, propagation, block: block)
            if let present { reflect(present, bank, rooms.ramp, entry.object, listener, number, block) }
            if let leaving { reflect(leaving, 1 &- bank, rooms.leavingRamp, entry.object, listener, number, block) }
        }
        let late = surround.late(prepared)
        placed.finish(
            &listener.pointee, prepared, late: surround.isLate ? UnsafePointer(late.first) : nil, stride: late.stride,
            isShared: surround.isLate || surround.isMixed, block: block)
    }

    /// Keeps an object's sound for listeners that are not at the origin.
    @_noLocks @_noAllocation
    mutating func keep(
        _ object: Int, _ row: UnsafePointer<Float>, _ strength: Ramp, _ settings: ObjectSettings, _ place: SIMD3<Float>, isFresh: Bool,
        _ block: Block
    ) {
        let near = sources.row(object)
        for i in 0..<block.frames { near[i] = row[i] * strength.value(at: i) }
        let share = encoded(object)
        if !share.ramp.isZero { share.rest.scale(near, frames: block.frames) }
        let site = sources.sites + object
        (site.pointee.settings, site.pointee.place) = (settings, place)
        sources.keep(object, isFresh: isFresh, frames: block.frames)
    }

    /// Temperature and humidity of the air: degrees Celsius and percent.
    package var air: SIMD2<Float> { @_noLocks @_noAllocation get { SIMD2(propagation.air.temperature, propagation.air.humidity) } }

    /// The room that the objects are in; nil for a free field.
    package var geometry: RoomGeometry? { @_noLocks @_noAllocation get { rooms.present?.pointee.geometry } }

    @_noLocks @_noAllocation
    private static func length(_ place: SIMD3<Float>) -> Float { rt_sqrt((place * place).sum()) }

    /// Uses a room's rows for the reflections in it.
    @_noLocks @_noAllocation
    private mutating func use(_ room: UnsafeMutablePointer<RoomScene>?, _ bank: Int, _ number: Int) {
        guard let room else { return }
        if number <= room.pointee.listeners {
            placed.prepared.use(room.pointee.placedRows, bank: bank)
        } else {
            placed.prepared.use(room.pointee.rows, bank: bank)
        }
    }

    /// Adds the reflections of an object.
    @_noLocks @_noAllocation
    private mutating func reflect(
        _ room: UnsafeMutablePointer<RoomScene>, _ bank: Int, _ fade: Ramp, _ object: Int,
        _ listener: UnsafeMutablePointer<PlacedListener>, _ number: Int, _ block: Block
    ) {
        guard let geometry = room.pointee.geometry, object < room.pointee.reflected else { return }
        let (voice, settings, count) = (room.pointee.voices + object, sources.sites[object].settings, room.pointee.count)
        let share = encoded(object)
        // An object that comes back from the array begins, too.
        let begins = voice.pointee.begins || share.begins
        let first = prepared.place(bank: bank) &+ object &* count
        guard number <= room.pointee.listeners else {
            // A room that was made for fewer listeners is heard as at the origin.
            for place in first..<first &+ count {
                let direction = geometry.inWorld(direction: voice.pointee.direction(place &- first))
                placed.prepared.add(ActiveObject(object: place, direction: direction, isFresh: begins))
            }
            return
        }
        let isBeginning = listener.pointee.isBeginning
        if isBeginning { voice.pointee.part(number) }
        let front = geometry.inRoom(direction: Directivity.front(yaw: settings.yaw, pitch: settings.pitch))
        let place = geometry.inside(geometry.inRoom(place: listener.pointee.place.now))
        for reflection in 0..<count {
            let (at, past) = (first &+ reflection, 2 &* (object &* count &+ reflection))
            restore(at, past, room, number, isFresh: begins, isBeginning: isBeginning)
            let row = placed.prepared.row(at, 0)
            let from = voice.pointee.reflect(
                reflection, for: number, room.pointee.images[reflection], row, settings, front: front, listener: place,
                level: roomLevels.early, isFresh: begins, propagation, block: block)
            if !fade.isOne { fade.scale(row, frames: block.frames) }
            if !share.ramp.isZero { share.rest.scale(row, frames: block.frames) }
            placed.blend(row, prepared.row(at, 0), listener.pointee.share, block.frames)
            placed.add(at, geometry.inWorld(direction: from), isFresh: begins, block.frames)
            let history = prepared.history
            for part in 0..<2 {
                rt_copy(
                    room.pointee.past(past &+ part, listener: number), placed.prepared.row(at, part) + (block.frames &- history), history)
            }
        }
    }

    /// Puts the end of a reflection's last block before its first frame.
    @_noLocks @_noAllocation
    private func restore(
        _ place: Int, _ past: Int, _ room: UnsafeMutablePointer<RoomScene>, _ number: Int, isFresh: Bool, isBeginning: Bool
    ) {
        let history = prepared.history
        for part in 0..<2 {
            let begin = placed.prepared.row(place, part) - history
            if isFresh {
                rt_zero(begin, history)
            } else {
                rt_copy(
                    begin, isBeginning ? prepared.row(place, part) - history : room.pointee.past(past &+ part, listener: number), history)
            }
        }
    }
}
