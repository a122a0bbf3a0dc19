public import Binaural
internal import Crossing
internal import DSP
internal import RenderCore

/// Receives a listener's HRTF filters: those in use, and the previous ones during the crossfade.
struct HRTFReceiver: ~Copyable, Sendable {
    private var coming: Handover<HRTFSet>.Realtime
    // SAFETY: lent by the handover; this value alone holds them and gives them back.
    private nonisolated(unsafe) var current: UnsafeMutablePointer<HRTFSet>?
    // SAFETY: as above.
    private nonisolated(unsafe) var leaving: UnsafeMutablePointer<HRTFSet>?
    /// Whether `current` was made for the array in use.
    private var fits = false
    private var changes = -1

    init(_ coming: consuming Handover<HRTFSet>.Realtime) { self.coming = coming }

    /// The filters; nil without any.
    var view: FilterBankView? { @_noLocks @_noAllocation get { current?.pointee.view } }

    /// Whether former filters may still be audible.
    var isLeaving: Bool { @_noLocks @_noAllocation get { leaving != nil } }

    /// Receives new filters. Those in use are kept until ``settle()``.
    @_noLocks @_noAllocation
    mutating func receive() {
        while let filters = coming.receive() {
            if let current {
                // Two sets in a row: the one between them was never heard.
                if leaving == nil { leaving = current } else { coming.giveBack(current) }
            }
            current = filters
            changes = -1
        }
    }

    /// Whether there are filters for this array.
    ///
    /// - Parameter changes: count of changes of the array.
    @_noLocks @_noAllocation
    mutating func fit(_ ring: UnsafePointer<RingLookup>?, changes: Int) -> Bool {
        guard let current, let ring else { return false }
        if changes != self.changes {
            self.changes = changes
            fits = current.pointee.fit(ring.pointee)
        }
        return fits
    }

    /// Gives the previous filters back: they are no longer audible.
    @_noLocks @_noAllocation
    mutating func settle() {
        guard let old = leaving else { return }
        coming.giveBack(old)
        leaving = nil
    }
}

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

/// HRTF filters for one listener: from the microphones of an array to the ears of a head.
public struct HRTFSet: ~Copyable, Sendable {
    /// Kept while the view is in use.
    private let bank: FilterBank
    let view: FilterBankView
    private let array: MicrophoneArray
    private let muted: UInt64

    public init(_ bank: FilterBank) {
        self.bank = bank
        view = bank.view
        array = bank.layout.array
        muted = bank.layout.muted
    }

    /// Whether the filters were made for these microphones.
    @_noLocks @_noAllocation
    borrowing func fit(_ ring: borrowing RingLookup) -> Bool {
        ring.lays(out: array, muted: muted)
    }
}
