public import Binaural
public import Crossing

/// A recording for the scene: its sound, and the places of its microphones.
///
/// The control side sends a feed when a recording is loaded or sought; the scene crossfades to it, or lets it follow.
public struct SceneFeed: ~Copyable, Sendable {
    /// Interleaved, one channel per microphone, at the engine's rate.
    var frames: FrameRing.Consumer
    let array: ArrayEdit
    /// Reported together with the number of frames used, so that the control side knows the position.
    let number: Int64
    /// Place in the recording at which the feed begins, frames.
    let start: Int64
    /// Place and kind of the change from the current feed; nil for a feed that replaces it at once.
    let joint: FeedJoint?
    /// Lets the control side withdraw a feed that follows, until it begins.
    let claim: Claim.Realtime
    /// Set for a live array, whose frames pass at the pace of its converter.
    private var live: LiveFeed?
    let isLive: Bool

    /// - Parameters:
    ///   - rate: frames per second.
    ///   - start: place in the recording at which the feed begins, frames.
    ///   - version: version of the array, in the count of ``ArrayEdit``.
    ///   - joint: how it follows the current feed; nil for a feed that replaces it at once.
    ///   - claim: lets the control side withdraw a feed that follows.
    ///   - live: for a live array instead of a recording.
    public init(
        frames: consuming FrameRing.Consumer, array: MicrophoneArray, calibration: Calibration = Calibration(), rate: Float = 48_000,
        number: Int64, start: Int64 = 0, version: Int64 = 0, joint: FeedJoint? = nil, claim: Claim? = nil, live: consuming LiveFeed? = nil
    ) {
        isLive = live != nil
        self.live = live
        self.frames = frames
        self.array = ArrayEdit(RingLookup(array, calibration: calibration, rate: rate), version: version)
        self.number = number
        self.start = start
        self.joint = joint
        self.claim = Claim.Realtime(claim)
    }

    /// Reads up to `count` frames and returns the number read.
    @_noLocks @_noAllocation
    mutating func read(_ target: UnsafeMutablePointer<Float>, frames count: Int) -> Int {
        let got = frames.read(target, frames: count)
        live?.noteRead(got)
        return got
    }

    /// Leaves out the next frames.
    @_noLocks @_noAllocation
    mutating func skip(_ count: Int) { frames.skip(count) }

    // MARK: Live array

    /// Takes a block that the renderer's device has recorded, if this feed consists of such blocks.
    @_noLocks @_noAllocation
    mutating func take(_ samples: UnsafePointer<Float>, channels: Int, frames count: Int, from time: UInt64) {
        live?.take(&frames, samples, channels: channels, count: count, from: time)
    }

    /// Whether a live array waits for frames.
    private(set) var isWaiting = true

    /// Whether the next block of a live array has to wait; false for a recording.
    @_noLocks @_noAllocation
    mutating func waits(for count: Int, isSilent: Bool) -> Bool {
        isWaiting = live?.waits(&frames, for: count, isSilent: isSilent) ?? false
        return isWaiting
    }

    /// Leaves out frames of a live array that is not heard; a recording stays where it is.
    @_noLocks @_noAllocation
    mutating func pass(_ count: Int) { live?.skip(&frames, count) }

    /// Time at which the first frame of the block that was just read was at the converter of a live array; 0 when there is none.
    @_noLocks @_noAllocation
    mutating func captured(_ count: Int, at begin: UInt64, nanosecondsPerSample: Float) -> UInt64 {
        live?.captured(count, at: begin, nanosecondsPerSample: nanosecondsPerSample) ?? 0
    }
}

/// The way in which a feed follows the current one.
public struct FeedJoint: BitwiseCopyable, Sendable {
    /// Number of the feed that it follows; 0 for any.
    let feed: Int64
    /// Frames of that feed that are used before the crossfade begins; ``atEnd`` to follow its last frame.
    let place: Int64
    /// Length of the crossfade, frames; 0 for none.
    let crossfade: Int64
    /// Whether the microphones are the same, in place and calibration: only then do both recordings play at the same time.
    let isSameArray: Bool
    /// Whether the feed continues the same recording elsewhere, with the crossfade of a seek. Its first frame belongs exactly at ``place``:
    /// when the crossfade begins with a later block, the frames in between are skipped.
    let isExact: Bool

    public static var atEnd: Int64 { @_noLocks @_noAllocation get { .max } }

    public init(feed: Int64 = 0, place: Int64 = Self.atEnd, crossfade: Int64 = 0, isSameArray: Bool) {
        (self.feed, self.place, self.crossfade, self.isSameArray, isExact) = (feed, place, crossfade, isSameArray, false)
    }

    /// A jump within the recording at an exact time.
    public init(exactlyAt place: Int64, of feed: Int64) {
        (self.feed, self.place, crossfade, isSameArray, isExact) = (feed, place, 0, true, true)
    }
}
