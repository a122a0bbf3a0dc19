internal import Binaural
internal import CRealtime
internal import DSP

/// Every microphone below and above one crossover: now, as long ago as the spectral methods delay, and in frames.
struct SplitScene: ~Copyable, Sendable {
    /// Frames between two moves of the past to the rows' beginning.
    private static let room = 256

    private let crossover: Crossover
    private let rate: Float
    private let past: Int
    private let capacity: Int
    private var splitter = BandSplitter()
    private var coefficients = BandSplitter.Coefficients(crossover: 1000, rate: 48_000)
    /// Hertz; 0 before the first block. Walks to another frequency.
    private(set) var frequency: Float = 0
    private let lows: Rows
    private let highs: Rows
    private var spectra: Spectra
    /// Where the block begins in the rows.
    private var at: Int
    /// Where the last block ended.
    private var end: Int
    /// Whether the samples before the block are there.
    private var hasPast = false
    private var wasNeeded = false

    init(_ crossover: Crossover, frame: SpectralFrame, period: Int, rate: Float) {
        self.crossover = crossover
        self.rate = rate
        past = frame.latency
        at = past
        end = past
        capacity = past + period + Self.room
        lows = Rows(rows: MicrophoneArray.capacity, length: capacity)
        highs = Rows(rows: MicrophoneArray.capacity, length: capacity)
        spectra = Spectra(frame: frame, period: period)
    }

    /// The block below and above the crossover.
    var low: RowView { @_noLocks @_noAllocation get { RowView(lows.row(0) + at, stride: lows.stride) } }
    var high: RowView { @_noLocks @_noAllocation get { RowView(highs.row(0) + at, stride: highs.stride) } }
    /// The low band as long ago as the frames are late.
    var delayedLow: RowView {
        @_noLocks @_noAllocation get { RowView(lows.row(0) + (at &- past), stride: lows.stride) }
    }

    /// The frame that begins to be heard `place` samples into the block: its magnitudes, and their number further on
    /// its phases.
    @_noLocks @_noAllocation
    borrowing func frame(hop: Int, place: Int, channel: Int) -> UnsafePointer<Float> {
        spectra.frame(hop: hop, channel: channel, of: UnsafePointer(highs.row(channel) + (at &+ place &- past)))
    }

    /// Floats of a row of magnitudes or phases.
    var floats: Int { @_noLocks @_noAllocation get { spectra.floats } }

    /// Splits a block.
    ///
    /// - Parameters:
    ///   - input: interleaved, `channels` apart.
    ///   - wanted: hertz.
    ///   - needs: of all listeners. Nothing happens when no band of this crossover is among them.
    ///   - hops: frames that begin in the block.
    ///   - work: two rows for interleaved bands.
    @_noLocks @_noAllocation
    mutating func prepare(
        _ input: UnsafePointer<Float>, channels: Int, block: Block, frequency wanted: Float, needs: BandSet, hops: Int,
        work: borrowing Rows
    ) {
        let late = part(.delayedLow) | part(.magnitude) | part(.phase)
        let keepsPast = needs.overlaps(late)
        let isNeeded = keepsPast || needs.overlaps(part(.low) | part(.high))
        // What has not run for a while begins at rest; the listener's crossfade covers the filters' first millisecond.
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

    /// A step of the crossover would be heard, a walk is not.
    @_noLocks @_noAllocation
    private mutating func tune(to wanted: Float, share: Float) {
        guard wanted != frequency else { return }
        let next = frequency + (wanted - frequency) * share
        frequency = frequency == 0 || abs(wanted - next) < 0.1 ? wanted : next
        coefficients = .init(crossover: frequency, rate: rate)
    }

    /// Moves the block's place on; takes the past to the rows' beginning when their end is reached.
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
