internal import CRealtime
public import Crossing
internal import DSP

/// Sound of an object that another thread writes live, at the engine's rate.
///
/// It fades out before its store is empty, in again when there is sound, and out as soon as it may no longer be heard. The
/// renderer's inner half reads it without knowing of the other thread.
public struct LiveSound: ~Copyable, Sendable {
    /// Seconds of a fade. As much sound has to wait when a block is read.
    public static var fade: Float { @_noLocks @_noAllocation get { 0.005 } }

    private var frames: FrameRing.Consumer
    private let isOpen: Switch.Realtime
    private let fadeFrames: Int
    private var level: Float = 0

    /// - Parameters:
    ///   - frames: one channel.
    ///   - isOpen: whether the sound may be heard.
    ///   - rate: frames per second.
    public init(frames: consuming FrameRing.Consumer, isOpen: consuming Switch.Realtime, rate: Int) {
        precondition(frames.channels == 1)
        self.frames = frames
        self.isOpen = isOpen
        fadeFrames = max(1, Int(clamping: Self.fade * Float(rate)))
    }

    /// Whether it is or can be heard now.
    @_noLocks @_noAllocation
    public mutating func isHeard() -> Bool { level > 0 || (isOpen.isOn && frames.available > fadeFrames) }

    /// Reads a block.
    @_noLocks @_noAllocation
    public mutating func read(_ row: UnsafeMutablePointer<Float>, frames count: Int) {
        let wanted: Float = isOpen.isOn && frames.available >= count &+ fadeFrames ? 1 : 0
        guard level > 0 || wanted > 0 else {
            pass(frames: count, isMuted: false)
            return rt_zero(row, count)
        }
        let got = frames.read(row, frames: count)
        rt_zero(row + got, count &- got)
        // The frames that are left are those of the fade.
        let reached = got < count ? 0 : Ramp.approach(wanted, from: level, step: Float(count) / Float(fadeFrames))
        Ramp(from: level, to: reached, frames: max(1, got)).scale(row, frames: got)
        level = reached
    }

    /// Lets a block pass that nobody hears; leaves everything out when it may not be heard, so that it is not heard later.
    @_noLocks @_noAllocation
    public mutating func pass(frames count: Int, isMuted: Bool) {
        guard isOpen.isOn else {
            level = 0
            return frames.skip(frames.available)
        }
        guard isMuted else { return }
        level = 0
        if frames.available >= count &+ fadeFrames { frames.skip(count) }
    }
}
