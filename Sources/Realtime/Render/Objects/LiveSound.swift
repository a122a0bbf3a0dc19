public import Crossing
internal import RenderCore

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
