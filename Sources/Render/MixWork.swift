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
    // SAFETY: as above. What the method wants of every row; zero between two ears.
    nonisolated(unsafe) let target: UnsafeMutablePointer<Float>
    // SAFETY: as above. The weight of every row at the block's beginning.
    nonisolated(unsafe) let before: UnsafeMutablePointer<Float>
    let transform: FrameTransform
    /// The left and the right ear of the listener that was rendered last.
    let ears: Rows

    init(frame: SpectralFrame, period: Int) {
        rows = .allocate(capacity: Taps.rows + 2)
        from = .allocateAligned(Taps.rows + laneCount)
        to = .allocateAligned(Taps.rows + laneCount)
        target = .allocateAligned(Taps.rows)
        before = .allocateAligned(Taps.rows)
        ears = Rows(rows: 2, length: period)
        transform = FrameTransform(length: frame.length)
    }

    /// One row more at place `at`, with a weight just before the first frame and at the last; returns how many there are.
    @_noLocks @_noAllocation
    func add(_ row: UnsafePointer<Float>, from: Float, to: Float, at: Int) -> Int {
        rows[at] = row
        self.from[at] = from
        self.to[at] = to
        return at &+ 1
    }

    deinit {
        rows.deallocate()
        from.deallocate()
        to.deallocate()
        target.deallocate()
        before.deallocate()
    }
}
