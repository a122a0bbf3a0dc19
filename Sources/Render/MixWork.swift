internal import Binaural
internal import DSP

/// Room for the rows that take part in one ear's sum, and for one frame of the spectral methods; shared by all ears,
/// one after the other.
struct MixWork: ~Copyable, Sendable {
    // SAFETY: owned by this value alone, which cannot be copied.
    nonisolated(unsafe) let rows: UnsafeMutablePointer<UnsafePointer<Float>>
    // SAFETY: as above.
    nonisolated(unsafe) let from: UnsafeMutablePointer<Float>
    // SAFETY: as above.
    nonisolated(unsafe) let to: UnsafeMutablePointer<Float>
    let transform: FrameTransform

    init(frame: SpectralFrame) {
        rows = .allocate(capacity: Taps.rows + 2)
        from = .allocate(capacity: Taps.rows + 2)
        to = .allocate(capacity: Taps.rows + 2)
        from.initialize(repeating: 0, count: Taps.rows + 2)
        to.initialize(repeating: 0, count: Taps.rows + 2)
        transform = FrameTransform(length: frame.length)
    }

    deinit {
        rows.deallocate()
        from.deallocate()
        to.deallocate()
    }
}
