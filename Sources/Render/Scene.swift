internal import Binaural
internal import Crossing
internal import CRealtime
internal import DSP

/// What all listeners share, prepared once per block: every microphone in the bands that somebody needs, and its level.
struct Scene: ~Copyable, Sendable {
    private var player: FeedPlayer
    private var splitter = BandSplitter()
    private let rows: Rows
    /// Low and high band, interleaved, before they are sorted into rows.
    private let bands: Rows
    private let levels: Rows
    private let rate: Float
    private var coefficients = BandSplitter.Coefficients(crossover: 1000, rate: 48_000)
    /// The feed whose crossover the coefficients are for.
    private var tunedTo: Int64 = -1
    private var splitsBefore = false
    private var levelFrames = 0

    init(feeds: consuming Handover<SceneFeed>.Realtime, period: Int, rate: Float) {
        player = FeedPlayer(feeds: feeds, period: period, rate: rate)
        rows = Rows(rows: Taps.rows, length: period)
        bands = Rows(rows: 2, length: (period + 8) * MicrophoneArray.capacity)
        levels = Rows(rows: 2, length: MicrophoneArray.capacity)
        self.rate = rate
    }

    /// The array being heard; nil while there is no recording.
    var array: MicrophoneArray? { @_noLocks @_noAllocation get { player.array } }
    var hasEnded: Bool { @_noLocks @_noAllocation get { player.hasEnded } }
    var feed: Int64 { @_noLocks @_noAllocation get { player.number } }
    var feedFrames: Int64 { @_noLocks @_noAllocation get { player.framesUsed } }
    var dropouts: Int64 { @_noLocks @_noAllocation get { player.dropouts } }
    mutating func isReady(_ frames: Int) -> Bool { player.isReady(frames) }

    /// Row `Taps.row(band, channel)` of the prepared block.
    @_noLocks @_noAllocation
    func row(_ index: Int) -> UnsafePointer<Float> { UnsafePointer(rows.row(index)) }

    /// - Parameter needs: the bands somebody needs, as ``InterpolationMethod/bands``.
    @_noLocks @_noAllocation
    mutating func prepare(frames: Int, isPlaying: Bool, needs: UInt8) {
        player.fill(frames: frames, isPlaying: isPlaying)
        tune()
        let channels = player.channels
        guard channels > 0 else { return }
        let input = UnsafePointer(player.samples)
        Levels.gather(input, channels: channels, frames: frames, peak: levels.row(0), energy: levels.row(1))
        levelFrames = levelFrames &+ frames
        if needs & 1 != 0 { sort(input, stride: channels, channels: channels, frames: frames, into: .full) }
        let splits = needs & 0b110 != 0
        if splits { split(input, channels, frames) }
        splitsBefore = splits
    }

    /// Another recording may have another crossover.
    @_noLocks @_noAllocation
    private mutating func tune() {
        guard player.number != tunedTo, let array = player.array else { return }
        tunedTo = player.number
        coefficients = .init(crossover: array.crossover, rate: rate)
    }

    /// Filters that have not run for a while begin at rest; the listener's crossfade covers their first millisecond.
    @_noLocks @_noAllocation
    private mutating func split(_ input: UnsafePointer<Float>, _ channels: Int, _ frames: Int) {
        if !splitsBefore { splitter.reset() }
        splitter.process(
            input, channels: channels, frames: frames, with: coefficients, low: bands.row(0), high: bands.row(1))
        let stride = roundedToLanes(channels)
        sort(bands.row(0), stride: stride, channels: channels, frames: frames, into: .low)
        sort(bands.row(1), stride: stride, channels: channels, frames: frames, into: .high)
    }

    @_noLocks @_noAllocation
    private func sort(
        _ input: UnsafePointer<Float>, stride: Int, channels: Int, frames: Int, into band: Taps.Band
    ) {
        Deinterleave.process(
            input, stride: stride, channels: channels, frames: frames, rows: rows.row(Taps.row(band, 0)),
            rowStride: rows.stride)
    }

    /// The levels since they were last taken; `take` says whether they got through and begin anew.
    @_noLocks @_noAllocation
    mutating func report(_ frame: inout MicrophoneFrame) {
        frame.count = Int32(truncatingIfNeeded: player.channels)
        frame.frames = Int32(truncatingIfNeeded: levelFrames)
        for i in 0..<MicrophoneArray.capacity {
            frame.peak[i] = levels.row(0)[i]
            frame.energy[i] = levels.row(1)[i]
        }
    }

    /// Begins a new window of levels.
    @_noLocks @_noAllocation
    mutating func resetLevels() {
        rt_zero(levels.row(0), MicrophoneArray.capacity)
        rt_zero(levels.row(1), MicrophoneArray.capacity)
        levelFrames = 0
    }
}
