internal import Binaural

/// One block's microphones in every form that somebody needs: what the listeners see of a ``Scene``.
///
/// Small, and its large parts are elsewhere: it is lent to every ear of every listener.
struct PreparedScene: ~Copyable, Sendable {
    let whole: Rows
    // SAFETY: these two are owned by this value alone, which cannot be copied.
    nonisolated(unsafe) let atNeighbours: UnsafeMutablePointer<SplitScene>
    // SAFETY: as above.
    nonisolated(unsafe) let atRing: UnsafeMutablePointer<SplitScene>
    // SAFETY: as above. What ears of one's own are made of.
    nonisolated(unsafe) let parts: UnsafeMutablePointer<InputParts>
    // SAFETY: as above. The rows of every band of samples in this block, by the band's number.
    private nonisolated(unsafe) let views: UnsafeMutablePointer<RowView?>
    /// When frames of the spectral methods begin in this block.
    var hops: HopGrid

    init(period: Int, rate: Float) {
        let frame = SpectralFrame(rate: rate)
        whole = Rows(rows: MicrophoneArray.capacity, length: period)
        atNeighbours = .allocate(capacity: 1)
        atNeighbours.initialize(to: SplitScene(.neighbours, frame: frame, period: period, rate: rate))
        atRing = .allocate(capacity: 1)
        atRing.initialize(to: SplitScene(.ring, frame: frame, period: period, rate: rate))
        parts = .allocate(capacity: 1)
        parts.initialize(to: InputParts(period: period, rate: rate))
        views = .allocate(capacity: Taps.Band.allCases.count)
        views.initialize(repeating: nil, count: Taps.Band.allCases.count)
        hops = HopGrid(hop: frame.hop)
    }

    deinit {
        for split in [atNeighbours, atRing] {
            split.deinitialize(count: 1)
            split.deallocate()
        }
        parts.deinitialize(count: 1)
        parts.deallocate()
        views.deallocate()
    }

    /// Whether parts of `personal` begin in this block.
    var hasParts: Bool { @_noLocks @_noAllocation get { parts.pointee.hops.count > 0 } }

    /// Once the parts are prepared: notes where the block begins in their rows.
    @_noLocks @_noAllocation
    func settle() {
        views[Taps.Band.full.number] = RowView(whole.row(0), stride: whole.stride)
        views[Taps.Band.low.number] = atNeighbours.pointee.low
        views[Taps.Band.high.number] = atNeighbours.pointee.high
        views[Taps.Band.delayedLow.number] = atNeighbours.pointee.delayedLow
        views[Taps.Band.ringLow.number] = atRing.pointee.low
        views[Taps.Band.ringHigh.number] = atRing.pointee.high
        views[Taps.Band.ringDelayedLow.number] = atRing.pointee.delayedLow
    }

    /// The samples of the prepared block in one band; nil for bands that are not samples.
    ///
    /// - Parameter number: of the band.
    @_noLocks @_noAllocation
    func samples(_ number: Int) -> RowView? { views[number] }

    /// Where a crossover is now, hertz.
    @_noLocks @_noAllocation
    func frequency(_ crossover: Crossover) -> Float {
        crossover == .neighbours ? atNeighbours.pointee.frequency : atRing.pointee.frequency
    }

    /// A microphone's frame above a crossover: its magnitudes, and as many floats further on its phases.
    ///
    /// - Parameter hop: of those of this block.
    @_noLocks @_noAllocation
    borrowing func frame(_ crossover: Crossover, hop: Int, channel: Int) -> UnsafePointer<Float> {
        let split = crossover == .neighbours ? atNeighbours : atRing
        return split.pointee.frame(hop: hop, place: hops.place(hop), channel: channel)
    }
}
