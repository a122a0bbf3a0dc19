public import Binaural
internal import Dispatch
internal import Synchronization

/// Player of a recording: a thread reads ahead into feeds, handles seeks, and loops without a gap.
///
/// All members are for the control side. The audio side receives a ``Feed`` at the start and after every
/// seek, crossfades to it from the previous one, and returns the old one. A feed holds 0.34 to 0.68 s.
public final class RecordingPlayer: Sendable {
    public let path: String
    /// Length of the recording in seconds.
    public let duration: Double
    public let channels: Int
    /// Rate of the recording in frames per second.
    public let rate: Double
    /// Warnings about a recording that can be played nevertheless.
    public let warnings: [String]
    /// Geometry of the microphones.
    public let array: MicrophoneArray
    /// The 360-degree video that the file beside the recording names, and what is known of it; nil for none.
    public let video: (video: RecordingVideo, facts: VideoFacts?)?
    private let reading: MediaThread

    /// Reads the headers and the first frames; returns when the first feed has been delivered.
    /// - Parameters:
    ///   - channels: numbers of the channels to read, the first is 1; nil for all.
    ///   - sidecar: path of the file with the microphones' positions; nil for the one beside the recording.
    ///   - engineRate: frames per second of the feeds.
    ///   - loop: whether playback continues at the start after the end.
    ///   - prefill: number of frames in a feed when it is delivered.
    ///   - lead: frames of silence before the recording, 2048 at most; they are not repeated by seeks and loops.
    ///   - report: called on the media thread with the reason why a feed ended early, and once the whole recording has been read
    ///     or reading ends, with a warning about limited samples.
    ///   - deliver: called with the first feed on the calling thread, and with further ones on the media thread.
    ///     It must neither block nor call ``stop()``.
    /// - Throws: ``MediaError``, as ``RecordingReader`` does.
    public init(
        path: String, channels: [Int]? = nil, sidecar: String? = nil, engineRate: Double, loop: Bool, prefill: Int = 4096, lead: Int = 0,
        report: @escaping @Sendable (String) -> Void = { _ in },
        deliver: @escaping @Sendable (consuming Feed) -> Void
    ) throws(MediaError) {
        let reader = try RecordingReader(path: path, channels: channels, sidecar: sidecar)
        self.path = path
        duration = Double(reader.frames) / reader.rate
        self.channels = reader.channels
        rate = reader.rate
        array = reader.array
        var warnings = reader.warnings
        // A recording is played without its video where that cannot be shown.
        do {
            video = try RecordingVideo.read(recording: path).map { video throws(MediaError) in
                (video, RecordingVideo.isAddress(video.place) ? nil : try VideoFacts(path: video.place))
            }
        } catch {
            video = nil
            warnings.append("\(error)")
        }
        self.warnings = warnings
        let reading = MediaThread(
            try RecordingStream(reader, engineRate: engineRate), loop: loop, prefill: prefill, lead: lead,
            report: report, deliver: deliver)
        try reading.start()
        self.reading = reading
    }

    deinit { end() }

    /// Whether playback continues at the start after the end. The end of reading is ahead of the audible end by the contents of a feed. If
    /// this is set after the end has been read, a new feed begins at the start as soon as the old one is used up.
    public var loop: Bool {
        get { reading.commands.withLock { $0.loop } }
        set { reading.command { $0.loop = newValue } }
    }

    /// Seeks in the recording: a new feed from there is delivered within a few ms.
    /// - Parameter seconds: clamped to 0...``duration``. Of several pending seeks, the last one counts.
    public func seek(seconds: Double) {
        let seconds = seconds.isFinite ? min(max(seconds, 0), duration) : 0
        reading.command { $0.seek = seconds }
    }

    /// Position of the audio thread in the recording, seconds.
    /// - Parameters:
    ///   - number: number of the feed being played.
    ///   - framesUsed: number of frames consumed from that feed.
    /// - Returns: nil for a feed that is not among this player's last 8.
    public func position(feed number: Int64, framesUsed: Int64) -> Double? {
        reading.history.withLock { $0.position(feed: number, framesUsed: framesUsed) }
    }

    /// Makes the media thread refill the feed now. For consumers faster than real time, which need not wait
    /// for the thread's next poll.
    public func nudge() { reading.wake.signal() }

    /// Reports the limited samples of the whole recording, which were counted elsewhere, unless as many were reported before.
    public func report(_ limited: LimitedSamples) { reading.report(limited) }

    /// Stops the thread and waits for it, at most as long as reading one chunk takes. The feed ends with
    /// the frames it contains. Nothing is delivered afterwards.
    public func stop() { reading.stop() }

    /// Requests the end of the thread, and returns at once. A feed may still be delivered.
    public func end() { reading.command { $0.stop = true } }
}
