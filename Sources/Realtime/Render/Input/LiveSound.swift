public import Crossing
public import RenderCore

/// Sound of an object that another thread writes live, at the engine's rate.
public struct LiveSound: ~Copyable, Sendable {
    /// Seconds of a fade. As much sound must be buffered when a block is read.
    public static var fade: Float { LiveBlock.fade }

    private var frames: FrameRing.Consumer
    private let isOpen: Switch.Realtime
    let rate: Int

    /// - Parameters:
    ///   - frames: one channel.
    ///   - isOpen: whether the sound may be heard.
    ///   - rate: frames per second.
    public init(frames: consuming FrameRing.Consumer, isOpen: consuming Switch.Realtime, rate: Int) {
        precondition(frames.channels == 1)
        self.frames = frames
        self.isOpen = isOpen
        self.rate = rate
    }

    /// Offers the frames that wait to the next block.
    @_noLocks @_noAllocation
    mutating func offer(to block: UnsafeMutablePointer<LiveBlock>) {
        let waiting = frames.waiting
        block.pointee.offer(isOpen: isOpen.isOn, waiting.first, waiting.firstCount, waiting.second, count: waiting.count)
    }

    /// Removes the frames that a block has taken.
    @_noLocks @_noAllocation
    mutating func remove(_ count: Int) { frames.skip(count) }
}

/// Keeps a live sound, and the block by which the objects read it, in memory of their own.
// SAFETY: the thread that renders uses what the pointers point to, and the control side frees it when that thread has given back the
// object's sound.
final class LiveSoundOwner: @unchecked Sendable {
    let block: UnsafeMutablePointer<LiveBlock>
    private let sound: UnsafeMutablePointer<LiveSound>

    init(_ sound: consuming LiveSound) {
        let rate = sound.rate
        self.sound = .allocate(capacity: 1)
        self.sound.initialize(to: sound)
        block = .allocate(capacity: 1)
        block.initialize(to: LiveBlock(source: self.sound, rate: rate))
    }

    deinit {
        sound.deinitialize(count: 1)
        sound.deallocate()
        block.deallocate()
    }
}

extension ObjectSound {
    /// Live sound from another thread.
    public init(object: Int, live: consuming LiveSound) {
        let owner = LiveSoundOwner(live)
        self.init(object: object, live: owner.block, owner: owner)
    }
}

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
