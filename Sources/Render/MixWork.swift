internal import Binaural

/// Room for the rows that take part in one ear's sum; shared by all ears, one after the other.
struct MixWork: ~Copyable, Sendable {
    // SAFETY: owned by this value alone, which cannot be copied.
    nonisolated(unsafe) let rows: UnsafeMutablePointer<UnsafePointer<Float>>
    // SAFETY: as above.
    nonisolated(unsafe) let from: UnsafeMutablePointer<Float>
    // SAFETY: as above.
    nonisolated(unsafe) let to: UnsafeMutablePointer<Float>

    init() {
        rows = .allocate(capacity: Taps.rows)
        from = .allocate(capacity: Taps.rows)
        to = .allocate(capacity: Taps.rows)
        from.initialize(repeating: 0, count: Taps.rows)
        to.initialize(repeating: 0, count: Taps.rows)
    }

    deinit {
        rows.deallocate()
        from.deallocate()
        to.deallocate()
    }
}
