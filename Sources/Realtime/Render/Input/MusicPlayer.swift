internal import CRealtime
public import Crossing
internal import DSP
internal import Parameters
internal import RenderCore
internal import RenderInterface

/// Mixes music into the live input, so that every listener hears it, independently of head poses.
///
/// It fades out before its buffer is empty, and in again once a second of sound has arrived. Changing to another source fades, too.
struct MusicPlayer: ~Copyable, Sendable {
    /// Length of a fade, and of the sound that must be buffered before music is heard, seconds.
    private static var fade: Float { @_noLocks @_noAllocation get { SmoothingTime.crossfade } }
    private static var store: Float { @_noLocks @_noAllocation get { 1 } }

    private var feeds: Handover<MusicFeed>.Realtime
    // SAFETY: lent by the handover; this value alone holds them and gives them back.
    private nonisolated(unsafe) var current: UnsafeMutablePointer<MusicFeed>?
    // SAFETY: as above.
    private nonisolated(unsafe) var next: UnsafeMutablePointer<MusicFeed>?
    private let owner: TargetRow
    private let report: TargetRow.View
    private let rows: Rows
    private let parameters: Int
    private let fadeFrames: Int
    private let storeFrames: Int
    private var gain = Smoother()
    private var level: Float = 0
    private var isWaiting = true
    private var range: RangeGuard

    /// - Parameters:
    ///   - report: receives 1 while music is heard, and 0 while there is none or it waits for more sound.
    ///   - period: largest block, frames.
    init(feeds: consuming Handover<MusicFeed>.Realtime, report: TargetRow, tree: ParameterTree, rate: Float, period: Int) {
        self.feeds = feeds
        owner = report
        self.report = report.view
        // Both sides, and the interleaved frames.
        rows = Rows(rows: 3, length: 2 * period)
        parameters = tree.index(MusicParameter.source)
        fadeFrames = Int(clamping: Self.fade * rate)
        storeFrames = Int(clamping: Self.store * rate)
        range = RangeGuard(rate: rate)
    }

    /// Adds the music to the live input; returns `input` itself when there is none.
    @_noLocks @_noAllocation
    mutating func mix(_ input: InputView?, _ reader: borrowing ParameterReader, _ block: Block) -> InputView? {
        takeFeeds()
        guard let feed = current else { return input }
        let frames = block.frames
        let isOn = reader.target(parameters &+ MusicParameter.run.rawValue) != 0
        let wanted: Float = isOn && next == nil && !waits(feed, frames) ? 1 : 0
        let volume = gain.ramp(
            to: reader.target(parameters &+ MusicParameter.gain.rawValue), share: block.gainShare, frames: frames)
        report.set(0, wanted)
        guard level > 0 || wanted > 0 else {
            change()
            return input
        }
        let step = Float(frames) / Float(fadeFrames)
        let reached = Ramp.approach(wanted, from: level, step: step)
        let count = feed.pointee.frames.read(rows.row(2), frames: frames)
        rt_zero(rows.row(2) + 2 &* count, 2 &* (frames &- count))
        add(input, volume, Ramp(from: level, to: reached, frames: frames), frames)
        level = reached
        return InputView(left: rows.row(0), right: rows.row(1))
    }

    @_noLocks @_noAllocation
    private mutating func takeFeeds() {
        while let feed = feeds.receive() {
            if let skipped = next { feeds.giveBack(skipped) }
            next = feed
        }
        if current == nil { change() }
    }

    /// Changes to the next source, which is silent at first.
    @_noLocks @_noAllocation
    private mutating func change() {
        guard let coming = next else { return }
        if let old = current { feeds.giveBack(old) }
        current = coming
        next = nil
        isWaiting = true
    }

    /// Whether the buffer must fill before music is heard.
    @_noLocks @_noAllocation
    private mutating func waits(_ feed: UnsafeMutablePointer<MusicFeed>, _ frames: Int) -> Bool {
        let available = feed.pointee.frames.available
        if feed.pointee.frames.hasEnded {
            isWaiting = available == 0
        } else if isWaiting {
            isWaiting = available < storeFrames
        } else {
            isWaiting = available < frames &+ fadeFrames
        }
        return isWaiting
    }

    @_noLocks @_noAllocation
    private mutating func add(_ input: InputView?, _ volume: Ramp, _ fade: Ramp, _ frames: Int) {
        let (left, right, music) = (rows.row(0), rows.row(1), rows.row(2))
        for i in 0..<frames {
            let factor = volume.value(at: i) * fade.value(at: i)
            left[i] = factor * music[2 &* i]
            right[i] = factor * music[2 &* i &+ 1]
        }
        _ = range.admit(left, right, frames: frames)
        guard let input else { return }
        for i in 0..<frames {
            left[i] += input.left[i]
            right[i] += input.right[i]
        }
    }
}

/// Music for all listeners, from the thread that reads it.
public struct MusicFeed: ~Copyable, Sendable {
    /// Stereo, at the engine's rate.
    var frames: FrameRing.Consumer

    public init(_ frames: consuming FrameRing.Consumer) { self.frames = frames }
}
