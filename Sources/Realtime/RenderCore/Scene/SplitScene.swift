internal import Binaural
internal import CRealtime
internal import DSP

/// Every microphone below and above one crossover: undelayed, delayed by the latency of the spectral methods, and as
/// spectral frames.
struct SplitScene: ~Copyable, Sendable {
    /// Samples by which a row is longer than needed, so that its past is moved to the beginning less often.
    private static let room = 512

    private let crossover: Crossover
    private let rate: Float
    /// Latency of the frames, samples.
    private let latency: Int
    /// Samples before the block that are kept.
    private let past: Int
    private let capacity: Int
    private var splitter = BandSplitter()
    private var coefficients = BandSplitter.Coefficients(crossover: 1000, rate: 48_000)
    /// Hertz, smoothed; 0 before the first block.
    private(set) var frequency: Float = 0
    private let lows: Rows
    private let highs: Rows
    private var spectra: MicrophoneSpectra
    /// Place in the rows at which the block begins.
    private var at: Int
    /// Place in the rows at which the last block ended.
    private var end: Int
    /// Whether the rows hold the samples before the block.
    private var hasPast = false
    private var wasNeeded = false
    /// Number of times that the filters were cleared because their state had left the range of plausible sound.
    private(set) var counts = RangeCounts()

    init(_ crossover: Crossover, frame: SpectralFrame, period: Int, rate: Float) {
        self.crossover = crossover
        self.rate = rate
        latency = frame.latency
        // Filters of the elevation reach further back than frames.
        past = frame.latency + (crossover == .ring ? ElevationFilters.taps * ElevationFilters.longestStride(rate: rate) : 0)
        at = past
        end = past
        capacity = past + period + Self.room
        lows = Rows(rows: MicrophoneArray.capacity, length: capacity)
        highs = Rows(rows: MicrophoneArray.capacity, length: capacity)
        spectra = MicrophoneSpectra(frame: frame, period: period)
    }

    /// The block below and above the crossover.
    var low: RowView { @_noLocks @_noAllocation get { RowView(lows.row(0) + at, stride: lows.stride) } }
    var high: RowView { @_noLocks @_noAllocation get { RowView(highs.row(0) + at, stride: highs.stride) } }
    /// The low band, delayed by the latency of the frames.
    var delayedLow: RowView {
        @_noLocks @_noAllocation get { RowView(lows.row(0) + (at &- latency), stride: lows.stride) }
    }

    /// The magnitudes of the frame that begins to be heard `place` samples into the block; its phases follow
    /// ``MicrophoneSpectra/floats`` further.
    @_noLocks @_noAllocation
    borrowing func frame(hop: Int, place: Int, channel: Int) -> UnsafePointer<Float> {
        spectra.frame(hop: hop, channel: channel, of: UnsafePointer(highs.row(channel) + (at &+ place &- latency)))
    }

    /// Splits a block.
    ///
    /// - Parameters:
    ///   - input: interleaved, `channels` apart.
    ///   - wanted: target of the crossover frequency, hertz.
    ///   - needs: bands that at least one listener needs. Without a band of this crossover nothing is done.
    ///   - hops: number of frames that begin in the block.
    ///   - work: two rows for the interleaved bands.
    @_noLocks @_noAllocation
    mutating func prepare(
        _ input: UnsafePointer<Float>, channels: Int, block: Block, frequency wanted: Float, needs: BandSet, hops: Int,
        work: borrowing Rows
    ) {
        let late = part(.delayedLow) | part(.magnitude) | part(.phase)
        let keepsPast = needs.overlaps(late)
        let isNeeded = keepsPast || needs.overlaps(part(.low) | part(.high))
        // Filters that were idle start from rest; the listener's crossfade covers their first millisecond.
        if isNeeded, !wasNeeded { rest() }
        wasNeeded = isNeeded
        guard isNeeded else {
            hasPast = false
            return
        }
        tune(to: wanted, share: block.gainShare)
        makeRoom(block.frames, channels: channels, keepsPast: keepsPast)
        if keepsPast { spectra.begin(hops: hops) }
        splitter.process(
            input, channels: channels, frames: block.frames, with: coefficients, low: work.row(0), high: work.row(1))
        if !splitter.isPlausible(channels: channels) { heal(work, frames: block.frames) }
        sort(work.row(0), into: lows, channels: channels, frames: block.frames)
        sort(work.row(1), into: highs, channels: channels, frames: block.frames)
        end = at &+ block.frames
    }

    @_noLocks @_noAllocation
    private func part(_ band: Taps.Band) -> BandSet { BandSet(Taps.Band(band, crossover)) }

    @_noLocks @_noAllocation
    private mutating func rest() {
        splitter.reset()
        frequency = 0
    }

    /// Begins again from silence, this block included.
    @_noLocks @_noAllocation @inline(never)
    private mutating func heal(_ work: borrowing Rows, frames: Int) {
        rest()
        hasPast = false
        let lanes = MicrophoneArray.capacity
        counts.note(
            SoundRange.judge(work.row(0), count: frames &* lanes))
        for row in 0..<2 { rt_zero(work.row(row), frames &* lanes) }
        for channel in 0..<lanes {
            rt_zero(lows.row(channel), capacity)
            rt_zero(highs.row(channel), capacity)
        }
    }

    /// Smooths the crossover frequency: a step would be audible.
    @_noLocks @_noAllocation
    private mutating func tune(to wanted: Float, share: Float) {
        guard wanted != frequency else { return }
        frequency = frequency == 0 ? wanted : Smoother.next(frequency, to: wanted, share: share, tolerance: 0.1)
        coefficients = .init(crossover: frequency, rate: rate)
    }

    /// Advances the block's place in the rows; moves the past to the beginning when the end is reached.
    @_noLocks @_noAllocation
    private mutating func makeRoom(_ frames: Int, channels: Int, keepsPast: Bool) {
        if keepsPast, hasPast, end &+ frames <= capacity {
            at = end
            return
        }
        for channel in 0..<channels where keepsPast {
            if hasPast {
                rt_move(lows.row(channel), lows.row(channel) + (end &- past), past)
                rt_move(highs.row(channel), highs.row(channel) + (end &- past), past)
            } else {
                rt_zero(lows.row(channel), past)
                rt_zero(highs.row(channel), past)
            }
        }
        at = past
        hasPast = keepsPast
    }

    @_noLocks @_noAllocation
    private func sort(_ input: UnsafeMutablePointer<Float>, into rows: borrowing Rows, channels: Int, frames: Int) {
        Deinterleave.process(
            input, stride: roundedToLanes(channels), channels: channels, frames: frames, rows: rows.row(0) + at,
            rowStride: rows.stride)
    }
}
