internal import Binaural
internal import CRealtime
internal import Crossing
internal import DSP
internal import RenderCore
internal import RenderInterface

/// Plays the feeds without clicks, one block of interleaved microphone signals at a time.
///
/// It crossfades to a new feed, or fades out and in when the number of microphones differs; play and pause fade. A feed that
/// follows begins with the frame after the last one of the current feed, or with a crossfade before it: in equal power where the
/// microphones are the same, otherwise the current feed fades out in its first half and the other one fades in in its second. When the
/// reader falls behind, the sound is faded out before the ring is empty, the dropout is counted, and the sound is faded
/// in again once enough frames have been read. A live array passes at the pace of its converter, heard or not.
struct FeedPlayer: ~Copyable, Sendable {
    /// Length of fades and of the crossfade to a new feed, seconds.
    static var fade: Float { @_noLocks @_noAllocation get { SmoothingTime.crossfade } }
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
    // SAFETY: lent by the handover, as the others. Follows the current feed.
    private nonisolated(unsafe) var waiting: UnsafeMutablePointer<SceneFeed>?
    // SAFETY: lent by the handover, as the others. Continues the recording elsewhere, at an exact time.
    private nonisolated(unsafe) var target: UnsafeMutablePointer<SceneFeed>?
    private var blend = RecordingBlend()
    /// Whether the current feed fades out before `waiting` fades in.
    private var isDipping = false
    /// Length of the fades between two recordings of different microphones, frames; 0 for that of other fades.
    private var dipFrames: Float = 0
    /// Level of the current feed; ramped to 0 before it stops.
    private var level: Float = 1
    private var isStarving = false
    private var hasStarted = false
    // SAFETY: lent by the handover, as the others. The first feed, while it waits.
    private nonisolated(unsafe) var first: UnsafeMutablePointer<SceneFeed>?
    /// Whether a recording of another number of microphones waits before it takes the place of the current one, or of silence.
    var waitsToArrive = false

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

    /// Whether the first recording waits.
    var isArriving: Bool { @_noLocks @_noAllocation get { first != nil } }

    /// Whether a feed that is to take the place of the current one waits.
    @_noLocks @_noAllocation
    private func holds(_ coming: UnsafeMutablePointer<SceneFeed>?) -> Bool {
        guard waitsToArrive, let current, let coming else { return false }
        return coming.pointee.frames.channels != current.pointee.frames.channels
    }

    /// Whether the current feed fades out before one of another number of microphones.
    var isLeaving: Bool {
        @_noLocks @_noAllocation get {
            guard let current else { return false }
            guard let next else { return isDipping }
            return isDipping || next.pointee.frames.channels != current.pointee.frames.channels
        }
    }

    /// Interleaved frames of the last block.
    var samples: UnsafeMutablePointer<Float> { @_noLocks @_noAllocation get { block.row(0) } }

    /// True when the feed has been played to its end.
    var hasEnded: Bool {
        @_noLocks @_noAllocation get {
            next == nil && waiting == nil && hasPlayedAll
        }
    }

    /// True when no frame of the current feed is left.
    private var hasPlayedAll: Bool {
        @_noLocks @_noAllocation get {
            guard let current else { return false }
            return current.pointee.frames.hasEnded && current.pointee.frames.available == 0
        }
    }

    /// True when a block can be played without a dropout.
    mutating func isReady(_ frames: Int) -> Bool {
        takeFeeds()
        guard let feed = next ?? current ?? first else { return false }
        return feed.pointee.frames.hasEnded || feed.pointee.frames.available >= frames + fadeFrames
    }

    /// Fills the next block, with silence where there is nothing to play.
    @_noLocks @_noAllocation
    mutating func fill(frames: Int, isPlaying: Bool) {
        takeFeeds()
        if isPlaying {
            jump(frames)
            follow()
        } else {
            dipFrames = 0
        }
        guard let feed = current else { return }
        let waits = waits(feed, frames)
        if !hasStarted {
            // The very first frame is not faded in.
            level = isPlaying && !waits ? 1 : 0
            hasStarted = true
        }
        fill(feed, frames: frames, isPlaying: isPlaying, waits: waits)
    }

    @_noLocks @_noAllocation
    private mutating func fill(_ feed: UnsafeMutablePointer<SceneFeed>, frames: Int, isPlaying: Bool, waits: Bool) {
        let channels = feed.pointee.frames.channels
        let isLive = feed.pointee.isLive
        let canCrossfade = canCrossfade(channels, frames)
        let target: Float = isPlaying && canCrossfade && !isDipping && !waits && !starves(feed, frames) ? 1 : 0
        if level == 0 && target == 0 {
            rt_zero(samples, (frames &+ 8) &* channels)
            if !waits { feed.pointee.pass(frames) }
            if next != nil, !holds(next) { switchToNext() } else if next == nil, isDipping { join() }
            return
        }
        let count = play(feed, frames: frames)
        if let former = blend.mix(samples, work: block.row(1), channels: channels, frames: frames) { feeds.giveBack(former) }
        if canCrossfade { crossfade(channels: channels, frames: frames) }
        guard count == frames || !isLive else { return cut(channels: channels, frames: count) }
        fadeLevel(to: target, channels: channels, frames: frames)
    }

    // MARK: Live array

    /// Takes a block that the renderer's device has recorded of a live array.
    @_noLocks @_noAllocation
    mutating func take(_ array: UnsafePointer<Float>, channels: Int, frames: Int, from time: UInt64) {
        takeFeeds()
        if let current { current.pointee.take(array, channels: channels, frames: frames, from: time) }
        if let next { next.pointee.take(array, channels: channels, frames: frames, from: time) }
    }

    /// Time at which the first frame of the last block was at the converter of a live array; 0 without one.
    @_noLocks @_noAllocation
    mutating func captured(_ frames: Int, at begin: UInt64, nanosecondsPerSample: Float) -> UInt64 {
        guard let current else { return 0 }
        return current.pointee.captured(frames, at: begin, nanosecondsPerSample: nanosecondsPerSample)
    }

    /// Whether a live array has to wait; the beginning of a wait is a dropout.
    @_noLocks @_noAllocation
    private mutating func waits(_ feed: UnsafeMutablePointer<SceneFeed>, _ frames: Int) -> Bool {
        guard feed.pointee.isLive else { return false }
        let waited = feed.pointee.isWaiting
        let waits = feed.pointee.waits(for: frames, isSilent: level == 0 || !hasStarted)
        if waits, !waited { dropouts &+= 1 }
        return waits
    }

    /// Whether the next feed has as many microphones as the current one and has begun; true without one.
    @_noLocks @_noAllocation
    private mutating func canCrossfade(_ channels: Int, _ frames: Int) -> Bool {
        guard let next else { return true }
        return next.pointee.frames.channels == channels && !next.pointee.waits(for: frames, isSilent: share == 0)
    }

    /// Fades out over the last frames of a live array.
    @_noLocks @_noAllocation
    private mutating func cut(channels: Int, frames: Int) {
        if frames > 0 { InterleavedFade.apply(samples, channels: channels, frames: frames, from: level, to: 0) }
        level = 0
    }

    // MARK: Feeds that follow

    /// Begins the crossfade to the feed that follows, when its time has come.
    @_noLocks @_noAllocation
    private mutating func follow() {
        guard next == nil, !isDipping, !blend.isRunning, let current, let waiting, let joint = waiting.pointee.joint else { return }
        if hasPlayedAll {
            if holds(waiting) { isDipping = true } else { join() }
            return
        }
        guard joint.crossfade > 0, joint.feed == 0 || joint.feed == number, framesUsed >= joint.place else { return }
        if joint.isSameArray, waiting.pointee.frames.channels == current.pointee.frames.channels {
            guard take() else { return }
            blend.begin(current, frames: joint.crossfade)
            adopt(waiting)
        } else {
            (isDipping, dipFrames) = (true, Float(joint.crossfade) / 2)
        }
    }

    /// Starts a due crossfade to another position of the recording; returns feeds that are outdated or too late.
    @_noLocks @_noAllocation
    private mutating func jump(_ frames: Int) {
        guard let target, let joint = target.pointee.joint else { return }
        let late = framesUsed &- joint.place
        guard joint.feed == number, !hasPlayedAll, late < Int64(target.pointee.frames.available &- frames &- fadeFrames) else {
            feeds.giveBack(target)
            self.target = nil
            return
        }
        guard late >= 0, next == nil, !isDipping, !blend.isRunning else { return }
        target.pointee.skip(Int(truncatingIfNeeded: late))
        (self.target, next, nextUsed, share) = (nil, target, late, 0)
    }

    /// Replaces the current feed by the one that follows.
    @_noLocks @_noAllocation
    private mutating func join() {
        isDipping = false
        guard let old = current, let waiting, take() else { return }
        // Other microphones begin from silence.
        if waiting.pointee.frames.channels != old.pointee.frames.channels { level = 0 }
        feeds.giveBack(old)
        adopt(waiting)
    }

    /// Takes the feed that follows, unless it was withdrawn.
    @_noLocks @_noAllocation
    private mutating func take() -> Bool {
        guard let waiting else { return false }
        if waiting.pointee.claim.take() { return true }
        feeds.giveBack(waiting)
        self.waiting = nil
        return false
    }

    @_noLocks @_noAllocation
    private mutating func adopt(_ feed: UnsafeMutablePointer<SceneFeed>) {
        current = feed
        waiting = nil
        (number, start, framesUsed) = (feed.pointee.number, feed.pointee.start, 0)
    }

    /// Stores the feed that is to follow; it replaces an earlier one.
    @_noLocks @_noAllocation
    private mutating func keep(_ feed: UnsafeMutablePointer<SceneFeed>) {
        if let old = waiting { feeds.giveBack(old) }
        waiting = feed
        isDipping = false
    }

    /// Gives back a feed that was withdrawn before it followed.
    @_noLocks @_noAllocation
    private mutating func dropWithdrawn() {
        guard let waiting, waiting.pointee.claim.isWithdrawn else { return }
        feeds.giveBack(waiting)
        self.waiting = nil
        isDipping = false
    }

    // MARK: Feeds

    @_noLocks @_noAllocation
    private mutating func takeFeeds() {
        if let feed = first {
            guard !waitsToArrive else { return }
            first = nil
            if feed.pointee.claim.take() { adopt(feed) } else { feeds.giveBack(feed) }
        }
        while let feed = feeds.receive() {
            if current == nil {
                if waitsToArrive {
                    first = feed
                    return
                }
                if feed.pointee.claim.take() { adopt(feed) } else { feeds.giveBack(feed) }
            } else if feed.pointee.joint?.isExact == true {
                if let old = target { feeds.giveBack(old) }
                target = feed
            } else if feed.pointee.joint != nil {
                keep(feed)
            } else {
                // Two seeks in a row: the feed between them is skipped.
                if let skipped = next { feeds.giveBack(skipped) }
                next = feed
                nextUsed = 0
            }
        }
        dropWithdrawn()
    }

    /// Whether the remaining frames must be faded out now, so that the dropout begins without a click.
    @_noLocks @_noAllocation
    private mutating func starves(_ feed: UnsafeMutablePointer<SceneFeed>, _ frames: Int) -> Bool {
        guard next == nil, !feed.pointee.isLive, !feed.pointee.frames.hasEnded else {
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
    private mutating func play(_ feed: UnsafeMutablePointer<SceneFeed>, frames: Int) -> Int {
        let channels = feed.pointee.frames.channels
        var count = feed.pointee.read(samples, frames: frames)
        framesUsed &+= Int64(count)
        if count < frames, let follower = follower(of: feed, channels) {
            // The first frame of the recording that follows comes right after the last one.
            let more = follower.pointee.read(samples + count &* channels, frames: frames &- count)
            framesUsed = Int64(more)
            count = count &+ more
        }
        rt_zero(samples + count &* channels, (frames &- count &+ 8) &* channels)
        return count
    }

    /// Replaces a feed that has been played to its end by the one that follows it without a gap; nil without one.
    @_noLocks @_noAllocation
    private mutating func follower(of feed: UnsafeMutablePointer<SceneFeed>, _ channels: Int) -> UnsafeMutablePointer<SceneFeed>? {
        guard next == nil, !blend.isRunning, !isDipping, feed.pointee.frames.hasEnded, feed.pointee.frames.available == 0, let waiting,
            waiting.pointee.frames.channels == channels
        else { return nil }
        join()
        return current == waiting ? waiting : nil
    }

    @_noLocks @_noAllocation
    private mutating func crossfade(channels: Int, frames: Int) {
        guard let coming = next else { return }
        let count = coming.pointee.read(block.row(1), frames: frames)
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
        let step = Float(frames) / max(dipFrames, Float(fadeFrames))
        let reached = Ramp.approach(target, from: level, step: step)
        InterleavedFade.apply(samples, channels: channels, frames: frames, from: level, to: reached)
        level = reached
        if level == 1 { dipFrames = 0 }
    }

    @_noLocks @_noAllocation
    private mutating func switchToNext() {
        guard let coming = next, let old = current else { return }
        if let former = blend.end() { feeds.giveBack(former) }
        feeds.giveBack(old)
        current = coming
        next = nil
        (isDipping, dipFrames) = (false, 0)
        number = coming.pointee.number
        start = coming.pointee.start
        framesUsed = nextUsed
        nextUsed = 0
        share = 0
    }
}
