internal import CRealtime
internal import DSP

/// Live sound of an object in one block: the frames that wait for it, and how many of them were taken.
///
/// The sound fades out before its store is empty, in again when there is sound, and out as soon as it may no longer be heard.
// SAFETY: used by one thread at a time; the frames are those of the last offer.
package struct LiveBlock: BitwiseCopyable, @unchecked Sendable {
    /// Seconds of a fade. As much sound has to wait when a block is read.
    package static var fade: Float { @_noLocks @_noAllocation get { 0.005 } }

    /// The source that offers the frames, which this type does not use.
    package let source: UnsafeMutableRawPointer
    /// Frames that were taken since the last offer.
    package private(set) var taken = 0
    private let fadeFrames: Int
    private var level: Float = 0
    private var isOpen = false
    /// Frames that wait, from `taken` on: the first of them, and those after them.
    private var first: UnsafePointer<Float>
    private var firstCount = 0
    private var second: UnsafePointer<Float>
    private var count = 0

    /// - Parameters:
    ///   - source: offers the frames.
    ///   - rate: frames per second.
    package init(source: UnsafeMutableRawPointer, rate: Int) {
        self.source = source
        fadeFrames = max(1, Int(clamping: Self.fade * Float(rate)))
        first = UnsafePointer(source.assumingMemoryBound(to: Float.self))
        second = first
    }

    /// Offers frames to the next block, which stay where they are until it has ended.
    ///
    /// - Parameters:
    ///   - isOpen: whether the sound may be heard.
    ///   - first: the first `firstCount` frames.
    ///   - second: the other ones.
    ///   - count: number of frames in all.
    @_noLocks @_noAllocation
    package mutating func offer(
        isOpen: Bool, _ first: UnsafePointer<Float>, _ firstCount: Int, _ second: UnsafePointer<Float>, count: Int
    ) {
        (self.isOpen, taken) = (isOpen, 0)
        (self.first, self.firstCount, self.second, self.count) = (first, firstCount, second, count)
    }

    private var available: Int { @_noLocks @_noAllocation get { count &- taken } }

    /// Whether it is audible or may become so.
    var isHeard: Bool { @_noLocks @_noAllocation get { level > 0 || (isOpen && available > fadeFrames) } }

    /// Reads a block.
    @_noLocks @_noAllocation
    mutating func read(_ row: UnsafeMutablePointer<Float>, frames wantedFrames: Int) {
        let wanted: Float = isOpen && available >= wantedFrames &+ fadeFrames ? 1 : 0
        guard level > 0 || wanted > 0 else {
            pass(frames: wantedFrames, isMuted: false)
            return rt_zero(row, wantedFrames)
        }
        let got = take(row, frames: wantedFrames)
        rt_zero(row + got, wantedFrames &- got)
        // The frames that are left are those of the fade.
        let reached = got < wantedFrames ? 0 : Ramp.approach(wanted, from: level, step: Float(wantedFrames) / Float(fadeFrames))
        Ramp(from: level, to: reached, frames: max(1, got)).scale(row, frames: got)
        level = reached
    }

    /// Skips an inaudible block; drops everything when it may not become audible, so that it is not heard later.
    @_noLocks @_noAllocation
    mutating func pass(frames wanted: Int, isMuted: Bool) {
        guard isOpen else {
            level = 0
            taken = count
            return
        }
        guard isMuted else { return }
        level = 0
        if available >= wanted &+ fadeFrames { taken = taken &+ wanted }
    }

    /// Copies up to `frames` frames and returns their number.
    @_noLocks @_noAllocation
    private mutating func take(_ row: UnsafeMutablePointer<Float>, frames: Int) -> Int {
        let got = min(frames, available)
        let whole = min(got, max(0, firstCount &- taken))
        rt_copy(row, first + taken, whole)
        rt_copy(row + whole, second + (taken &+ whole &- firstCount), got &- whole)
        taken = taken &+ got
        return got
    }
}
