internal import Binaural
internal import CRealtime
internal import Crossing
internal import DSP
internal import RenderCore
internal import RenderInterface

/// Plays the feeds without clicks, one block of interleaved microphone signals at a time.
///
/// It crossfades to a new feed, or fades out and in when the number of microphones differs; play and pause fade. When the
/// reader falls behind, the sound is faded out before the ring is empty, the dropout is counted, and the sound is faded
/// in again once enough frames have been read.
struct FeedPlayer: ~Copyable, Sendable {
    /// Length of fades and of the crossfade to a new feed, seconds.
    static var fade: Float { @_noLocks @_noAllocation get { 0.02 } }
    /// Frames that must be available to continue after a dropout, unless the recording ends earlier.
    static var recovery: Int { @_noLocks @_noAllocation get { 2048 } }

    private var feeds: Handover<SceneFeed>.Realtime
    // SAFETY: lent by the handover; this value alone holds them and gives them back.
    private nonisolated(unsafe) var current: UnsafeMutablePointer<SceneFeed>?
    // SAFETY: as above.
    private nonisolated(unsafe) var next: UnsafeMutablePointer<SceneFeed>?
    private let block: Rows
    private let fadeFrames: Int
    /// Share of `next` in the output.
    private var share: Float = 0
    private var nextUsed: Int64 = 0
    /// Level of the current feed; ramped to 0 before it stops.
    private var level: Float = 1
    private var isStarving = false
    private var hasStarted = false

    private(set) var number: Int64 = 0
    /// Place in the recording at which the feed begins, frames.
    private(set) var start: Int64 = 0
    private(set) var framesUsed: Int64 = 0
    private(set) var dropouts: Int64 = 0

    init(feeds: consuming Handover<SceneFeed>.Realtime, period: Int, rate: Float) {
        self.feeds = feeds
        block = Rows(rows: 2, length: (period + 8) * MicrophoneArray.capacity)
        fadeFrames = Int(clamping: Self.fade * rate)
    }

    /// The feed in use.
    var feed: UnsafeMutablePointer<SceneFeed>? { @_noLocks @_noAllocation get { current } }

    /// Interleaved frames of the last block.
    var samples: UnsafeMutablePointer<Float> { @_noLocks @_noAllocation get { block.row(0) } }

    /// True when the feed has been played to its end.
    var hasEnded: Bool {
        @_noLocks @_noAllocation get {
            guard let current, next == nil else { return false }
            return current.pointee.frames.hasEnded && current.pointee.frames.available == 0
        }
    }

    /// True when a block can be played without a dropout.
    mutating func isReady(_ frames: Int) -> Bool {
        takeFeeds()
        guard let feed = next ?? current else { return false }
        return feed.pointee.frames.hasEnded || feed.pointee.frames.available >= frames + fadeFrames
    }

    /// Fills the next block, with silence where there is nothing to play.
    @_noLocks @_noAllocation
    mutating func fill(frames: Int, isPlaying: Bool) {
        takeFeeds()
        guard let feed = current else { return }
        if !hasStarted {
            // The very first frame is not faded in.
            level = isPlaying ? 1 : 0
            hasStarted = true
        }
        let channels = feed.pointee.frames.channels
        let canCrossfade = next.map { $0.pointee.frames.channels == channels } ?? true
        let target: Float = isPlaying && canCrossfade && !starves(feed, frames) ? 1 : 0
        if level == 0 && target == 0 {
            rt_zero(samples, (frames &+ 8) &* channels)
            if next != nil { switchToNext() }
            return
        }
        play(feed, frames: frames)
        if canCrossfade { crossfade(channels: channels, frames: frames) }
        fadeLevel(to: target, channels: channels, frames: frames)
    }

    @_noLocks @_noAllocation
    private mutating func takeFeeds() {
        while let feed = feeds.receive() {
            if current == nil {
                current = feed
                number = feed.pointee.number
                start = feed.pointee.start
            } else {
                // Two seeks in a row: the feed between them is skipped.
                if let skipped = next { feeds.giveBack(skipped) }
                next = feed
                nextUsed = 0
            }
        }
    }

    /// Whether the remaining frames must be faded out now, so that the dropout begins without a click.
    @_noLocks @_noAllocation
    private mutating func starves(_ feed: UnsafeMutablePointer<SceneFeed>, _ frames: Int) -> Bool {
        guard next == nil, !feed.pointee.frames.hasEnded else {
            isStarving = false
            return false
        }
        let available = feed.pointee.frames.available
        if isStarving {
            if available >= Self.recovery { isStarving = false }
        } else if available < frames &+ fadeFrames {
            isStarving = true
            dropouts &+= 1
        }
        return isStarving
    }

    @_noLocks @_noAllocation
    private mutating func play(_ feed: UnsafeMutablePointer<SceneFeed>, frames: Int) {
        let channels = feed.pointee.frames.channels
        let count = feed.pointee.frames.read(samples, frames: frames)
        rt_zero(samples + count &* channels, (frames &- count &+ 8) &* channels)
        framesUsed &+= Int64(count)
    }

    @_noLocks @_noAllocation
    private mutating func crossfade(channels: Int, frames: Int) {
        guard let coming = next else { return }
        let count = coming.pointee.frames.read(block.row(1), frames: frames)
        rt_zero(block.row(1) + count &* channels, (frames &- count) &* channels)
        nextUsed &+= Int64(count)
        let reached = min(1, share + Float(frames) / Float(fadeFrames))
        InterleavedFade.cross(
            samples, with: block.row(1), channels: channels, frames: frames, from: share, to: reached)
        share = reached
        if share == 1 { switchToNext() }
    }

    @_noLocks @_noAllocation
    private mutating func fadeLevel(to target: Float, channels: Int, frames: Int) {
        guard level != target || target != 1 else { return }
        let step = Float(frames) / Float(fadeFrames)
        let reached = target > level ? min(target, level + step) : max(target, level - step)
        InterleavedFade.apply(samples, channels: channels, frames: frames, from: level, to: reached)
        level = reached
    }

    @_noLocks @_noAllocation
    private mutating func switchToNext() {
        guard let coming = next, let old = current else { return }
        feeds.giveBack(old)
        current = coming
        next = nil
        number = coming.pointee.number
        start = coming.pointee.start
        framesUsed = nextUsed
        nextUsed = 0
        share = 0
    }
}
