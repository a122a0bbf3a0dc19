internal import Binaural
internal import Crossing
internal import DSP
internal import RenderCore
internal import RenderInterface

/// The recording: plays the feeds, chooses the array, and prepares each block for all listeners.
struct RecordingScene: ~Copyable, Sendable {
    private var player: FeedPlayer
    private var array: ActiveArray
    /// Holds the block that listeners are rendered from.
    private(set) var preparer: ScenePreparer

    init(
        feeds: consuming Handover<SceneFeed>.Realtime, edits: consuming Handover<ArrayEdit>.Realtime, period: Int,
        rate: Float
    ) {
        player = FeedPlayer(feeds: feeds, period: period, rate: rate)
        array = ActiveArray(edits: edits)
        preparer = ScenePreparer(period: period, rate: rate)
    }

    /// The array in use; nil without a recording.
    var ring: UnsafePointer<RingLookup>? { @_noLocks @_noAllocation get { array.ring } }
    /// Rises with every change of ``ring``.
    var arrayChanges: Int { @_noLocks @_noAllocation get { array.changes } }
    /// Version of the array in use.
    var arrayVersion: Int64 { @_noLocks @_noAllocation get { array.version } }
    var hasEnded: Bool { @_noLocks @_noAllocation get { player.hasEnded } }
    /// Number of the feed in use.
    var feed: Int64 { @_noLocks @_noAllocation get { player.number } }
    /// Present place in the recording, frames.
    var place: Int64 { @_noLocks @_noAllocation get { player.start &+ player.framesUsed } }
    /// Frames of the feed that have been used.
    var feedFrames: Int64 { @_noLocks @_noAllocation get { player.framesUsed } }
    var dropouts: Int64 { @_noLocks @_noAllocation get { player.dropouts } }
    /// Number of times that sound out of range was replaced.
    var counts: RangeCounts { @_noLocks @_noAllocation get { preparer.counts } }
    /// Interleaved frames of the last block, calibrated.
    var samples: UnsafeMutablePointer<Float> { @_noLocks @_noAllocation get { player.samples } }
    mutating func isReady(_ frames: Int) -> Bool { player.isReady(frames) }

    /// Takes a block that the renderer's device has recorded of a live array.
    @_noLocks @_noAllocation
    mutating func take(_ array: UnsafePointer<Float>, channels: Int, frames: Int, from time: UInt64) {
        player.take(array, channels: channels, frames: frames, from: time)
    }

    /// Time at which the first of the last `frames` frames was at the converter of a live array; 0 without one.
    @_noLocks @_noAllocation
    mutating func captured(_ frames: Int, at begin: UInt64, nanosecondsPerSample: Float) -> UInt64 {
        player.captured(frames, at: begin, nanosecondsPerSample: nanosecondsPerSample)
    }

    /// Plays and prepares a block.
    @_noLocks @_noAllocation
    mutating func prepare(_ settings: SceneSettings, isPlaying: Bool, block: Block) {
        player.fill(frames: block.frames, isPlaying: isPlaying)
        array.choose(player.feed)
        preparer.prepare(player.samples, array.ring, changes: array.changes, settings, block: block)
    }

    /// Writes the levels gathered since ``resetLevels()``.
    @_noLocks @_noAllocation
    func report(_ frame: inout MicrophoneFrame) {
        frame.count = Int32(truncatingIfNeeded: ring?.pointee.channels ?? 0)
        frame.frames = Int32(truncatingIfNeeded: preparer.levelFrames)
        let (peaks, energies) = (preparer.peaks, preparer.energies)
        for i in 0..<MicrophoneArray.capacity {
            frame.peak[i] = peaks[i]
            frame.energy[i] = energies[i]
        }
    }

    /// Begins a new window of levels.
    @_noLocks @_noAllocation
    mutating func resetLevels() { preparer.resetLevels() }
}
