internal import Binaural
internal import Crossing

/// Where a listener's own ears come in: the ones it has, and those it is just leaving.
struct PersonalInlet: ~Copyable, Sendable {
    private var coming: Handover<PersonalEars>.Realtime
    // SAFETY: what the handover lent; this value alone holds them and gives them back.
    private nonisolated(unsafe) var current: UnsafeMutablePointer<PersonalEars>?
    // SAFETY: as above.
    private nonisolated(unsafe) var leaving: UnsafeMutablePointer<PersonalEars>?
    /// Whether `current` is for the array with this number of changes.
    private var fits = false
    private var changes = -1

    init(_ coming: consuming Handover<PersonalEars>.Realtime) { self.coming = coming }

    /// The filters; nil as long as there are none.
    var view: FilterBankView? { @_noLocks @_noAllocation get { current?.pointee.view } }

    /// Whether there are former ears that somebody may still hear.
    var isLeaving: Bool { @_noLocks @_noAllocation get { leaving != nil } }

    /// Takes what has come. The ears that are heard stay until ``settle()``.
    @_noLocks @_noAllocation
    mutating func receive() {
        while let ears = coming.receive() {
            if let current {
                // Two in a row: the one in between was never heard.
                if leaving == nil { leaving = current } else { coming.giveBack(current) }
            }
            current = ears
            changes = -1
        }
    }

    /// Whether there are filters for this array.
    ///
    /// - Parameter changes: of the array, counted.
    @_noLocks @_noAllocation
    mutating func fit(_ ring: UnsafePointer<RingLookup>?, changes: Int) -> Bool {
        guard let current, let ring else { return false }
        if changes != self.changes {
            self.changes = changes
            fits = current.pointee.fit(ring.pointee)
        }
        return fits
    }

    /// Nobody hears the former ears any more.
    @_noLocks @_noAllocation
    mutating func settle() {
        guard let old = leaving else { return }
        coming.giveBack(old)
        leaving = nil
    }
}
