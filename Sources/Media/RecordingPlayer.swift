public import Binaural
internal import Dispatch
internal import Synchronization

/// Plays a recording into feeds: a thread of its own reads ahead, follows seeks, and loops without a gap.
///
/// Everything here is for the control side. The audio side gets a ``Feed`` at the start and after every
/// seek, crossfades to it from the one before, and hands the old one back. A feed holds 0.34 to 0.68 s.
public final class RecordingPlayer: Sendable {
    public let path: String
    /// Of the whole recording, seconds.
    public let duration: Double
    public let channels: Int
    /// Frames per second, as recorded.
    public let rate: Double
    /// What a person should know about a recording that is played all the same.
    public let warnings: [String]
    /// Where the microphones are.
    public let array: MicrophoneArray
    private let reading: MediaThread

    /// Reads headers and the first frames; returns when the first feed has been delivered.
    /// - Parameters:
    ///   - engineRate: frames per second of the feeds.
    ///   - loop: whether the start follows the end.
    ///   - prefill: frames in a feed when it is delivered.
    ///   - report: told, on the media thread, why a feed had to end early.
    ///   - deliver: given the first feed on the calling thread, further ones on the media thread.
    ///     It must neither wait nor call ``stop()``.
    /// - Throws: ``MediaError``, as ``RecordingReader`` does.
    public init(
        path: String, engineRate: Double, loop: Bool, prefill: Int = 4096,
        report: @escaping @Sendable (String) -> Void = { _ in },
        deliver: @escaping @Sendable (consuming Feed) -> Void
    ) throws(MediaError) {
        let reader = try RecordingReader(path: path)
        self.path = path
        duration = Double(reader.frames) / reader.rate
        channels = reader.channels
        rate = reader.rate
        warnings = reader.warnings
        array = reader.array
        let reading = MediaThread(
            try RecordingStream(reader, engineRate: engineRate), loop: loop, prefill: prefill, report: report,
            deliver: deliver)
        try reading.start()
        self.reading = reading
    }

    deinit { stop() }

    /// Whether the start follows the end. Reading is ahead of what is heard by what a feed holds, and so
    /// is the end that this is about. Set after the end has been read, it brings a new feed from the
    /// start as soon as the old one is used up.
    public var loop: Bool {
        get { reading.orders.withLock { $0.loop } }
        set { reading.order { $0.loop = newValue } }
    }

    /// Goes to a place in the recording: a new feed from there is delivered within a few ms.
    /// - Parameter seconds: brought into 0...``duration``. Of several at a time, the last one counts.
    public func seek(seconds: Double) {
        let seconds = seconds.isFinite ? min(max(seconds, 0), duration) : 0
        reading.order { $0.seek = seconds }
    }

    /// Where in the recording the audio side is, seconds.
    /// - Parameters:
    ///   - number: the feed it hears.
    ///   - framesUsed: how many of that feed's frames it has used.
    /// - Returns: nil for a feed that is not among the last 8 of this player.
    public func position(feed number: Int64, framesUsed: Int64) -> Double? {
        reading.history.withLock { $0.position(feed: number, framesUsed: framesUsed) }
    }

    /// Has the feed filled now. Only for a consumer that is faster than sound is: it need not wait
    /// for the next look of the media thread.
    public func nudge() { reading.wake.signal() }

    /// Ends the thread and waits for it, which takes no longer than reading one chunk. The feed ends
    /// with what is in it. Nothing is delivered afterwards.
    public func stop() { reading.stop() }
}
