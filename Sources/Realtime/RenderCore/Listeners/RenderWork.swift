internal import Binaural
internal import CRealtime
internal import DSP

/// Working memory of one rendering thread: weights, the rows that are summed, a spectral frame, and both ears' sound.
/// Shared by all ears that the thread renders, one after the other.
package struct RenderWork: ~Copyable, Sendable {
    // SAFETY: owned by this value alone, which cannot be copied.
    nonisolated(unsafe) let rows: UnsafeMutablePointer<UnsafePointer<Float>>
    // SAFETY: as above.
    nonisolated(unsafe) let from: UnsafeMutablePointer<Float>
    // SAFETY: as above.
    nonisolated(unsafe) let to: UnsafeMutablePointer<Float>
    // SAFETY: as above. The method's weight of every row; zero between two ears.
    nonisolated(unsafe) let target: UnsafeMutablePointer<Float>
    // SAFETY: as above. The weight of every row at the block's beginning.
    nonisolated(unsafe) let before: UnsafeMutablePointer<Float>
    let transform: FrameTransform
    /// Left and right ear of the listener rendered last.
    package let ears: Rows
    // SAFETY: as above. Sums of the sound objects in the left ear and in the right.
    nonisolated(unsafe) let objectMixes: UnsafeMutablePointer<ObjectMix>
    /// Both ears' sound that does not come from an object directly, of the objects, and of the objects through measured filters.
    let objectRows: Rows
    // SAFETY: as above.
    nonisolated(unsafe) let partitions: UnsafeMutablePointer<PartitionWork>

    /// - Parameters:
    ///   - period: largest block, frames.
    ///   - rate: frames per second.
    package init(period: Int, rate: Float) {
        rows = .allocate(capacity: Taps.rows + 2)
        from = .allocateAligned(Taps.rows + laneCount)
        to = .allocateAligned(Taps.rows + laneCount)
        target = .allocateAligned(Taps.rows)
        before = .allocateAligned(Taps.rows)
        ears = Rows(rows: 2, length: period)
        transform = FrameTransform(length: SpectralFrame(rate: rate).length)
        objectMixes = .allocate(capacity: 2)
        for ear in 0..<2 { (objectMixes + ear).initialize(to: ObjectMix(rate: rate, period: period)) }
        objectRows = Rows(rows: 6, length: period)
        partitions = .allocate(capacity: 1)
        partitions.initialize(to: PartitionWork(HRTFFrame(rate: rate)))
    }

    deinit {
        rows.deallocate()
        from.deallocate()
        to.deallocate()
        target.deallocate()
        before.deallocate()
        objectMixes.deinitialize(count: 2)
        objectMixes.deallocate()
        partitions.deinitialize(count: 1)
        partitions.deallocate()
    }

    /// Adds a row at place `at` with a weight just before the first frame and one at the last; returns the number of rows.
    @_noLocks @_noAllocation
    func add(_ row: UnsafePointer<Float>, from: Float, to: Float, at: Int) -> Int {
        rows[at] = row
        self.from[at] = from
        self.to[at] = to
        return at &+ 1
    }
}
