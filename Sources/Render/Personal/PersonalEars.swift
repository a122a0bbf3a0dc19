public import Binaural

/// Somebody's own ears on their way to a listener: the filters that lead from the microphones to them.
public struct PersonalEars: ~Copyable, Sendable {
    /// Kept while the listener has them.
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

    /// Whether they were made for these microphones.
    @_noLocks @_noAllocation
    borrowing func fit(_ ring: borrowing RingLookup) -> Bool {
        ring.lays(out: array, muted: muted)
    }
}
