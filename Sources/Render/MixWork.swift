internal import Binaural
internal import CRealtime
internal import DSP

/// What one ear needs while a block is rendered: the weights it walks between, the rows that take part in its sum, a
/// frame of the spectral methods, and both ears' sound. Shared by all ears, one after the other.
struct MixWork: ~Copyable, Sendable {
    // SAFETY: owned by this value alone, which cannot be copied.
    nonisolated(unsafe) let rows: UnsafeMutablePointer<UnsafePointer<Float>>
    // SAFETY: as above.
    nonisolated(unsafe) let from: UnsafeMutablePointer<Float>
    // SAFETY: as above.
    nonisolated(unsafe) let to: UnsafeMutablePointer<Float>
    // SAFETY: as above. Weight of every row: what the method wants, and at the block's beginning.
    nonisolated(unsafe) let target: UnsafeMutablePointer<Float>
    // SAFETY: as above.
    nonisolated(unsafe) let before: UnsafeMutablePointer<Float>
    let transform: FrameTransform
    /// The left and the right ear of the listener that was rendered last.
    let ears: Rows

    init(frame: SpectralFrame, period: Int) {
        rows = .allocate(capacity: Taps.rows + 2)
        from = .allocateAligned(Taps.rows + 2)
        to = .allocateAligned(Taps.rows + 2)
        target = .allocateAligned(Taps.rows)
        before = .allocateAligned(Taps.rows)
        ears = Rows(rows: 2, length: period)
        transform = FrameTransform(length: frame.length)
    }

    @_noLocks @_noAllocation
    func clearTarget(_ bands: BandSet, count: Int) {
        var rest = bands
        while let band = rest.popFirst() {
            var row = band &* 64
            let end = row &+ count
            while row < end {
                target.setLanes(row, .zero)
                row = row &+ laneCount
            }
        }
    }

    deinit {
        rows.deallocate()
        from.deallocate()
        to.deallocate()
        target.deallocate()
        before.deallocate()
    }
}
