internal import Crossing
internal import DSP
internal import RenderCore

/// Receives the measured filters for one listener's sound objects, and crossfades to them.
struct ObjectHRTFReceiver: ~Copyable, Sendable {
    /// Length of a crossfade, seconds; in its first 10 ms the new filters fill with sound.
    private static var fade: Float { @_noLocks @_noAllocation get { 0.03 } }

    private var coming: Handover<ObjectHRTF>.Realtime
    // SAFETY: lent by the handover; this value alone holds them and gives them back.
    private nonisolated(unsafe) var current: UnsafeMutablePointer<ObjectHRTF>?
    // SAFETY: as above.
    private nonisolated(unsafe) var leaving: UnsafeMutablePointer<ObjectHRTF>?
    private var share: Float = 1
    /// Whether a block has been rendered: the first filters are heard at once.
    private var hasBegun = false

    init(_ coming: consuming Handover<ObjectHRTF>.Realtime) { self.coming = coming }

    /// Takes new filters unless a crossfade is in progress.
    /// - Parameter seconds: length of the block.
    @_noLocks @_noAllocation
    mutating func next(seconds: Float, frames: Int) -> ObjectHRTFChoice {
        if share >= 1 { receive() }
        let before = share
        share = min(1, share + seconds / Self.fade)
        hasBegun = true
        var choice = ObjectHRTFChoice()
        (choice.current, choice.leaving) = (current, leaving)
        (choice.share, choice.reached) = (Ramp(from: before, to: share, frames: frames), share)
        return choice
    }

    @_noLocks @_noAllocation
    private mutating func receive() {
        if let leaving { coming.giveBack(leaving) }
        leaving = nil
        guard let next = coming.receive() else { return }
        leaving = current
        current = next
        share = hasBegun ? 0 : 1
    }

    /// Forgets the sound of the past.
    @_noLocks @_noAllocation
    mutating func reset() {
        current?.pointee.reset()
        leaving?.pointee.reset()
    }
}
