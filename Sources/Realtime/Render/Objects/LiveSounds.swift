internal import RenderCore

/// The live sounds that objects hold: offers the objects the frames that other threads have written, and removes those that were taken.
struct LiveSounds: ~Copyable, Sendable {
    // SAFETY: owned by this value alone, which cannot be copied; the sounds exist until they are given back.
    private nonisolated(unsafe) let blocks: UnsafeMutablePointer<UnsafeMutablePointer<LiveBlock>>
    private let capacity: Int
    private var count = 0

    /// - Parameter objects: number of objects, each of which holds at most three sounds; one more is on its way.
    init(objects: Int) {
        capacity = 3 * objects + 1
        blocks = .allocate(capacity: capacity)
    }

    deinit { blocks.deallocate() }

    /// Notes a sound that an object receives.
    @_noLocks @_noAllocation
    mutating func add(_ sound: UnsafeMutablePointer<ObjectSound>) {
        guard let live = sound.pointee.live, count < capacity else { return }
        blocks[count] = live
        count = count &+ 1
    }

    /// Removes a sound that is returned.
    @_noLocks @_noAllocation
    mutating func remove(_ sound: UnsafeMutablePointer<ObjectSound>) {
        guard let live = sound.pointee.live else { return }
        for i in 0..<count where blocks[i] == live {
            count = count &- 1
            blocks[i] = blocks[count]
            return
        }
    }

    /// Offers the frames that wait, before a block.
    @_noLocks @_noAllocation
    func offer() { for i in 0..<count { Self.source(blocks[i]).pointee.offer(to: blocks[i]) } }

    /// Removes the frames that were taken, after a block.
    @_noLocks @_noAllocation
    func settle() { for i in 0..<count { Self.source(blocks[i]).pointee.remove(blocks[i].pointee.taken) } }

    @_noLocks @_noAllocation
    private static func source(_ block: UnsafeMutablePointer<LiveBlock>) -> UnsafeMutablePointer<LiveSound> {
        block.pointee.source.assumingMemoryBound(to: LiveSound.self)
    }
}
