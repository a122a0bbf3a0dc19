package import Binaural
internal import DSP

/// Microphones of one block in every form that at least one listener needs. Filled by ``ScenePreparer`` on the audio thread, and
/// from blocks that it has calibrated on other threads.
///
/// Small, with its large parts elsewhere in memory: it is lent to every ear of every listener. Listeners only read it,
/// apart from spectra that are analysed on first use; after ``analyse(_:channels:)`` several threads may read it at once.
package struct PreparedScene: ~Copyable, Sendable {
    let whole: Rows
    // SAFETY: these two are owned by this value alone, which cannot be copied.
    nonisolated(unsafe) let atNeighbours: UnsafeMutablePointer<SplitScene>
    // SAFETY: as above.
    nonisolated(unsafe) let atRing: UnsafeMutablePointer<SplitScene>
    // SAFETY: as above. Rows for ears above and below the ring's plane.
    private nonisolated(unsafe) let elevation: UnsafeMutablePointer<ElevationRows>
    // SAFETY: as above. Partitioned spectra that HRTF filters are applied to.
    nonisolated(unsafe) let partitions: UnsafeMutablePointer<PartitionedInput>
    // SAFETY: as above. Rows of every band of samples in this block, indexed by the band's number.
    private nonisolated(unsafe) let views: UnsafeMutablePointer<RowView?>
    /// Low and high band, interleaved, before they are sorted into rows.
    private let bands: Rows
    /// Places at which frames of the spectral methods begin in this block.
    var hops: HopGrid
    /// Whether the block's rows of ``ElevationTerms`` were prepared.
    private(set) var hasElevation = false

    /// - Parameters:
    ///   - period: largest block, frames.
    ///   - rate: frames per second.
    package init(period: Int, rate: Float) {
        let frame = SpectralFrame(rate: rate)
        whole = Rows(rows: MicrophoneArray.capacity, length: period)
        atNeighbours = .allocate(capacity: 1)
        atNeighbours.initialize(to: SplitScene(.neighbours, frame: frame, period: period, rate: rate))
        atRing = .allocate(capacity: 1)
        atRing.initialize(to: SplitScene(.ring, frame: frame, period: period, rate: rate))
        elevation = .allocate(capacity: 1)
        elevation.initialize(to: ElevationRows(period: period, rate: rate))
        partitions = .allocate(capacity: 1)
        partitions.initialize(to: PartitionedInput(period: period, rate: rate))
        views = .allocate(capacity: Taps.Band.allCases.count)
        views.initialize(repeating: nil, count: Taps.Band.allCases.count)
        bands = Rows(rows: 2, length: (period + 8) * MicrophoneArray.capacity)
        hops = HopGrid(hop: frame.hop)
    }

    deinit {
        for split in [atNeighbours, atRing] {
            split.deinitialize(count: 1)
            split.deallocate()
        }
        elevation.deinitialize(count: 1)
        elevation.deallocate()
        partitions.deinitialize(count: 1)
        partitions.deallocate()
        views.deallocate()
    }

    /// Whether a partition of the HRTF convolution begins in this block.
    package var hasPartitions: Bool { @_noLocks @_noAllocation get { partitions.pointee.hops.count > 0 } }

    /// Begins a block; called for blocks without a recording, too.
    @_noLocks @_noAllocation
    package mutating func advance(_ frames: Int) { hops.advance(frames) }

    /// Fills the bands that listeners need.
    ///
    /// - Parameters:
    ///   - samples: interleaved microphone signals, calibrated, with 8 frames of zeros after the last one.
    ///   - changes: a number that is different for every other array.
    @_noLocks @_noAllocation
    package mutating func fill(
        _ samples: UnsafePointer<Float>, _ ring: borrowing RingLookup, _ settings: SceneSettings, block: Block, changes: Int
    ) {
        let (channels, frames, needs) = (ring.channels, block.frames, settings.needs)
        if needs.contains(.full) {
            Deinterleave.process(
                samples, stride: channels, channels: channels, frames: frames, rows: whole.row(0), rowStride: whole.stride)
        }
        let isManual = settings.crossover > 0
        atNeighbours.pointee.prepare(
            samples, channels: channels, block: block, frequency: isManual ? settings.crossover : ring.frequency(.neighbours),
            needs: needs, hops: hops.count, work: bands)
        atRing.pointee.prepare(
            samples, channels: channels, block: block, frequency: isManual ? settings.crossover : ring.frequency(.ring),
            needs: needs, hops: hops.count, work: bands)
        partitions.pointee.prepare(samples, channels: channels, frames: frames, isNeeded: needs.contains(.hrtf))
        settle()
        prepareElevation(ring, changes: changes, needs: needs, frames: frames)
    }

    /// Notes where the block begins in the rows of its parts, after these were prepared.
    @_noLocks @_noAllocation
    private func settle() {
        views[Taps.Band.full.number] = RowView(whole.row(0), stride: whole.stride)
        views[Taps.Band.low.number] = atNeighbours.pointee.low
        views[Taps.Band.high.number] = atNeighbours.pointee.high
        views[Taps.Band.delayedLow.number] = atNeighbours.pointee.delayedLow
        views[Taps.Band.ringLow.number] = atRing.pointee.low
        views[Taps.Band.ringHigh.number] = atRing.pointee.high
        views[Taps.Band.ringDelayedLow.number] = atRing.pointee.delayedLow
    }

    /// Prepares the rows for ears above and below the ring's plane, if a listener needs them.
    @_noLocks @_noAllocation
    private mutating func prepareElevation(_ ring: borrowing RingLookup, changes: Int, needs: BandSet, frames: Int) {
        hasElevation = needs.contains(.ringElevation)
        guard hasElevation else { return }
        elevation.pointee.prepare(atRing.pointee.delayedLow, ring, changes: changes, frames: frames)
        views[Taps.Band.ringElevation.number] = elevation.pointee.view
    }

    /// The samples of the prepared block in one band; nil for bands that hold no samples.
    ///
    /// - Parameter number: number of the band.
    @_noLocks @_noAllocation
    func samples(_ number: Int) -> RowView? { views[number] }

    /// Present frequency of a crossover, hertz.
    @_noLocks @_noAllocation
    package func frequency(_ crossover: Crossover) -> Float {
        crossover == .neighbours ? atNeighbours.pointee.frequency : atRing.pointee.frequency
    }

    /// The magnitudes of a microphone's frame above a crossover; its phases follow as many floats further.
    ///
    /// - Parameter hop: frame of this block, counted from 0.
    @_noLocks @_noAllocation
    borrowing func frame(_ crossover: Crossover, hop: Int, channel: Int) -> UnsafePointer<Float> {
        let split = crossover == .neighbours ? atNeighbours : atRing
        return split.pointee.frame(hop: hop, place: hops.place(hop), channel: channel)
    }

    /// Analyses every spectral frame of the block, so that several threads may render listeners from it at once.
    ///
    /// - Parameter needs: the bands for which the scene was prepared.
    @_noLocks @_noAllocation
    package borrowing func analyse(_ needs: BandSet, channels: Int) {
        let neighbours = needs.overlaps(BandSet(.magnitude, .phase))
        let ring = needs.overlaps(BandSet(.ringMagnitude, .ringPhase))
        for hop in 0..<hops.count {
            for channel in 0..<channels {
                if neighbours { _ = frame(.neighbours, hop: hop, channel: channel) }
                if ring { _ = frame(.ring, hop: hop, channel: channel) }
            }
        }
    }
}
