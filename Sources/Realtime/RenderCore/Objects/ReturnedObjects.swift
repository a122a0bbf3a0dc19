/// Memory on its way back to the control side, which frees it: sounds that are no longer needed, and the part of an object that has gone.
struct ReturnedObjects: ~Copyable, Sendable {
    // SAFETY: owned by this value alone, which cannot be copied. Sounds that the last block made superfluous.
    private nonisolated(unsafe) let sounds: UnsafeMutablePointer<UnsafeMutablePointer<ObjectSound>>
    private var count = 0
    // SAFETY: as above; handed over by `take`.
    private nonisolated(unsafe) var part: UnsafeMutablePointer<ObjectPart>?

    /// - Parameter objects: number of objects, each of which returns at most two sounds in a block.
    init(objects: Int) { sounds = .allocate(capacity: 2 * objects) }

    // SAFETY: a renderer ends on the control side, which may free what is left.
    deinit {
        sounds.deallocate()
        part?.deinitialize(count: 1)
        part?.deallocate()
    }

    /// Takes a sound.
    @_noLocks @_noAllocation
    mutating func take(_ sound: UnsafeMutablePointer<ObjectSound>?) {
        guard let sound else { return }
        sounds[count] = sound
        count = count &+ 1
    }

    /// Takes what a removed object holds, while it is inaudible: its sounds, then its part; one of them in each block.
    @_noLocks @_noAllocation
    mutating func retire(_ object: UnsafeMutablePointer<ObjectState>) {
        if let sound = object.pointee.voice.release() { return take(sound) }
        guard part == nil else { return }
        part = object.pointee.part
        object.pointee.part = nil
    }

    /// Returns the sounds, one per call, and then nil.
    @_noLocks @_noAllocation
    mutating func nextSound() -> UnsafeMutablePointer<ObjectSound>? {
        guard count > 0 else { return nil }
        count = count &- 1
        return sounds[count]
    }

    /// Returns the part of an object that has gone, once.
    @_noLocks @_noAllocation
    mutating func nextPart() -> UnsafeMutablePointer<ObjectPart>? {
        let last = part
        part = nil
        return last
    }
}
