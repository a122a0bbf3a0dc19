internal import Binaural
internal import CRealtime
internal import DSP

/// Rows of ``ElevationTerms`` for one block, shared by all listeners: circular harmonics of the microphones through filters.
///
/// Computed from the microphones' past alone, so that they are complete in the first block that needs them. Has its own copy of
/// the array's filters, so that a block can fade from one array to the next.
struct ElevationRows: ~Copyable, Sendable {
    private let rows: Rows
    /// Rows of the previous array, in the block in which it changes.
    private let former: Rows
    /// One circular harmonic, from the earliest sample that a filter reads.
    private let harmonic: Rows
    // SAFETY: the three are owned by this value alone, which cannot be copied.
    private nonisolated(unsafe) let sources: UnsafeMutablePointer<UnsafePointer<Float>>
    // SAFETY: as above. The taps of every term.
    private nonisolated(unsafe) let taps: UnsafeMutablePointer<Float>
    // SAFETY: as above. Weight of every channel in every circular harmonic; zero for those that the ring does not have.
    private nonisolated(unsafe) let weights: UnsafeMutablePointer<Float>
    private let longest: Int
    /// Samples between two taps.
    private var stride = 1
    private var channels = 0
    private var changes = 0

    init(period: Int, rate: Float) {
        rows = Rows(rows: ElevationTerms.rows, length: period)
        former = Rows(rows: ElevationTerms.rows, length: period)
        longest = ElevationFilters.longestStride(rate: rate)
        harmonic = Rows(rows: 1, length: period + ElevationFilters.taps * longest)
        sources = .allocate(capacity: MicrophoneArray.capacity)
        taps = .allocateAligned(ElevationTerms.count * ElevationFilters.taps)
        weights = .allocateAligned(ElevationTerms.functions * MicrophoneArray.capacity)
    }

    deinit {
        sources.deallocate()
        taps.deallocate()
        weights.deallocate()
    }

    var view: RowView { @_noLocks @_noAllocation get { RowView(rows.row(0), stride: rows.stride) } }

    /// - Parameters:
    ///   - low: the block's samples, with their past and future as far as the filters reach.
    ///   - changes: a number that is different for every other array.
    @_noLocks @_noAllocation
    mutating func prepare(_ low: RowView, _ ring: borrowing RingLookup, changes: Int, frames: Int) {
        let isOther = changes != self.changes || ring.channels != channels
        let fades = isOther && ring.channels == channels
        if fades { render(low, into: former, frames: frames) }
        if isOther { take(ring, changes: changes) }
        render(low, into: rows, frames: frames)
        if fades { fade(frames: frames) }
    }

    /// Copies the required part of an array.
    @_noLocks @_noAllocation
    private mutating func take(_ ring: borrowing RingLookup, changes: Int) {
        self.changes = changes
        channels = ring.channels
        // Filters for another rate than the engine's must not read past the rows.
        stride = min(ring.elevationStride, longest)
        rt_copy(taps, ring.elevationFilter(0), ElevationTerms.count &* ElevationFilters.taps)
        for function in 0..<ElevationTerms.functions {
            let row = weights + function &* MicrophoneArray.capacity
            if let harmonic = ring.harmonic(function) { rt_copy(row, harmonic, channels) } else { rt_zero(row, channels) }
        }
    }

    @_noLocks @_noAllocation
    private func render(_ low: RowView, into rows: borrowing Rows, frames: Int) {
        let (past, coming) = ElevationFilters.span(stride: stride)
        for channel in 0..<channels { sources[channel] = low.row(channel) - past }
        var (term, row) = (0, 0)
        for function in 0..<ElevationTerms.functions {
            let count = ElevationTerms.count(order: (function &+ 1) / 2)
            let share = weights + function &* MicrophoneArray.capacity
            RampedMix.process(
                rows: sources, from: share, to: share, count: channels, frames: frames &+ past &+ coming,
                output: harmonic.row(0))
            for i in 0..<count {
                StridedFilter.process(
                    harmonic.row(0), stride: stride, taps: taps + (term &+ i) &* ElevationFilters.taps,
                    count: ElevationFilters.taps, frames: frames, output: rows.row(row &+ i))
            }
            row = row &+ count
            // Cosine and sine of an order have the same filters.
            if function % 2 == 0 { term = term &+ count }
        }
    }

    /// Fades from the previous rows to the current ones over the block.
    @_noLocks @_noAllocation
    private func fade(frames: Int) {
        let shares = Ramp(from: 0, to: 1, frames: frames)
        for row in 0..<ElevationTerms.rows {
            let (from, to) = (former.row(row), rows.row(row))
            var frame = 0
            while frame < frames {
                to.setLanes(frame, rt_fma16(to.lanes(frame) - from.lanes(frame), shares.lanes(frame), from.lanes(frame)))
                frame = frame &+ laneCount
            }
        }
    }
}
