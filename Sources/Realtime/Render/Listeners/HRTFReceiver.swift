internal import Binaural
internal import Crossing

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
