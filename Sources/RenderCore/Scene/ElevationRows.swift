internal import Binaural
internal import CRealtime
internal import DSP

/// Rows of ``ElevationTerms`` for one block, shared by all listeners: circular harmonics of the microphones through filters.
///
/// Computed from the microphones' past alone, so that they are complete in the first block that needs them.
struct ElevationRows: ~Copyable, Sendable {
    private let rows: Rows
    /// One circular harmonic, from the earliest sample that a filter reads.
    private let harmonic: Rows
    // SAFETY: owned by this value alone, which cannot be copied.
    private nonisolated(unsafe) let sources: UnsafeMutablePointer<UnsafePointer<Float>>

    private let longest: Int

    init(period: Int, rate: Float) {
        rows = Rows(rows: ElevationTerms.rows, length: period)
        longest = ElevationFilters.longestStride(rate: rate)
        harmonic = Rows(rows: 1, length: period + ElevationFilters.taps * longest)
        sources = .allocate(capacity: MicrophoneArray.capacity)
    }

    deinit { sources.deallocate() }

    var view: RowView { @_noLocks @_noAllocation get { RowView(rows.row(0), stride: rows.stride) } }

    /// - Parameter low: the block's samples, with their past and future as far as the filters reach.
    @_noLocks @_noAllocation
    func prepare(_ low: RowView, _ ring: borrowing RingLookup, frames: Int) {
        // Filters for another rate than the engine's must not read past the rows.
        let stride = min(ring.elevationStride, longest)
        let (past, coming) = ElevationFilters.span(stride: stride)
        for channel in 0..<ring.channels { sources[channel] = low.row(channel) - past }
        var (term, row) = (0, 0)
        for function in 0..<ElevationTerms.functions {
            let order = (function &+ 1) / 2
            let count = ElevationTerms.count(order: order)
            sum(ring.harmonic(function), channels: ring.channels, frames: frames &+ past &+ coming)
            for i in 0..<count {
                StridedFilter.process(
                    harmonic.row(0), stride: stride, taps: ring.elevationFilter(term &+ i), count: ElevationFilters.taps,
                    frames: frames, output: rows.row(row &+ i))
            }
            row = row &+ count
            // Cosine and sine of an order have the same filters.
            if function % 2 == 0 { term = term &+ count }
        }
    }

    /// Sums the microphones to a circular harmonic; silence when the ring does not have it.
    @_noLocks @_noAllocation
    private func sum(_ weights: UnsafePointer<Float>?, channels: Int, frames: Int) {
        guard let weights else { return rt_zero(harmonic.row(0), roundedToLanes(frames)) }
        RampedMix.process(
            rows: sources, from: weights, to: weights, count: channels, frames: frames, output: harmonic.row(0))
    }
}
