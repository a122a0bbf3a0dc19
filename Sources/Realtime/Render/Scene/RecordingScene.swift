internal import Binaural
internal import CRealtime
internal import Crossing
internal import DSP
internal import RenderCore
internal import RenderInterface

/// The recording: plays the feeds, chooses the array, and prepares each block for all listeners, with the sound objects that are encoded
/// onto the array. Without a recording these have an array of their own.
struct RecordingScene: ~Copyable, Sendable {
    private var player: FeedPlayer
    private var array: ActiveArray
    /// Holds the block that listeners are rendered from.
    private(set) var preparer: ScenePreparer
    /// The array that objects are encoded onto without a recording.
    private let standard: ArrayEdit
    private var usesStandard = false
    /// Incremented when use of ``standard`` begins or ends.
    private var exchanges = 0

    init(
        feeds: consuming Handover<SceneFeed>.Realtime, edits: consuming Handover<ArrayEdit>.Realtime, period: Int,
        rate: Float
    ) {
        player = FeedPlayer(feeds: feeds, period: period, rate: rate)
        array = ActiveArray(edits: edits)
        preparer = ScenePreparer(period: period, rate: rate)
        standard = ArrayEdit(RingLookup(ArrayEdit.standard, rate: rate), version: ArrayEdit.standardVersion)
    }

    /// The recording's array; nil without a recording.
    var recorded: UnsafePointer<RingLookup>? { @_noLocks @_noAllocation get { array.ring } }
    /// The array that listeners hear in the current block; nil when there is neither a recording nor an object in an array.
    var ring: UnsafePointer<RingLookup>? {
        @_noLocks @_noAllocation get { array.ring ?? (usesStandard ? UnsafePointer(standard.ring) : nil) }
    }
    /// Rises with every change of ``ring``.
    var arrayChanges: Int { @_noLocks @_noAllocation get { array.changes &+ exchanges } }
    /// Version of the array in use.
    var arrayVersion: Int64 { @_noLocks @_noAllocation get { array.version } }
    /// The array that objects are encoded onto in the current block.
    var encoded: EncodedArray {
        @_noLocks @_noAllocation get {
            guard let ring = array.ring, let encoding = array.encoding else {
                return EncodedArray(UnsafePointer(standard.ring), standard.encoding, isLeaving: player.isArriving)
            }
            return EncodedArray(ring, encoding, isLeaving: player.isLeaving)
        }
    }
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

    /// Plays a block.
    ///
    /// - Parameter isEncoding: whether objects sound through an array; a recording with another number of microphones waits until they have
    ///   faded out.
    @_noLocks @_noAllocation
    mutating func play(isPlaying: Bool, isEncoding: Bool, block: Block) {
        player.waitsToArrive = isEncoding
        player.fill(frames: block.frames, isPlaying: isPlaying)
        array.choose(player.feed)
        if let ring = array.ring { preparer.admit(player.samples, ring, changes: array.changes, block: block) }
    }

    /// Chooses the array that is heard in a block, after it was played.
    ///
    /// - Parameter isEncoding: whether objects are heard through the array.
    @_noLocks @_noAllocation
    mutating func choose(isEncoding: Bool, block: Block) {
        let usesStandard = isEncoding && array.ring == nil
        if usesStandard != self.usesStandard {
            self.usesStandard = usesStandard
            exchanges = exchanges &+ 1
        }
        if usesStandard { rt_zero(samples, (block.frames &+ 8) &* standard.ring.pointee.channels) }
    }

    /// Prepares a block for the listeners.
    @_noLocks @_noAllocation
    mutating func prepare(_ settings: SceneSettings, block: Block) {
        preparer.fill(samples, ring, changes: arrayChanges, settings, block: block)
    }

    /// Writes the levels gathered since ``resetLevels()``.
    @_noLocks @_noAllocation
    func report(_ frame: inout MicrophoneFrame) {
        frame.count = Int32(truncatingIfNeeded: recorded?.pointee.channels ?? 0)
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
