public import Binaural

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
