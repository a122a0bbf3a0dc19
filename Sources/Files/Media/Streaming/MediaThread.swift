internal import Crossing
internal import Dispatch
internal import Synchronization
internal import Threads

/// Thread of a ``RecordingPlayer`` that keeps the newest feed full.
// SAFETY: `stream` to `fromStart` are touched by the thread that calls `start` until the media thread runs,
// and by the media thread alone from then on; shared state is in a mutex or a semaphore.
final class MediaThread: @unchecked Sendable {
    struct Commands {
        var loop: Bool
        /// Pending seek target in seconds.
        var seek: Double?
        var stop = false
    }

    let commands: Mutex<Commands>
    let history: Mutex<FeedHistory>
    let wake = DispatchSemaphore(value: 0)
    private let done = DispatchSemaphore(value: 0)
    private let engineRate: Double
    private let prefill: Int
    /// Frames of silence before the recording.
    private let lead: Int
    private let report: @Sendable (String) -> Void
    private let deliver: @Sendable (consuming Feed) -> Void

    private var stream: RecordingStream
    private let channels: Int
    private let capacity: Int
    private var producer: FrameRing.Producer
    private let chunk: UnsafeMutablePointer<Float>
    /// Frames per read: 43 ms at 48 kHz.
    private static let chunkFrames = 2048
    private var finished = false
    private var broken = false
    /// Whether the current feed has begun with the recording's first frame.
    private var fromStart = false
    /// Number of limited samples that were reported.
    private let reported = Mutex(0)

    init(
        _ stream: consuming RecordingStream, loop: Bool, prefill: Int, lead: Int = 0,
        report: @escaping @Sendable (String) -> Void, deliver: @escaping @Sendable (consuming Feed) -> Void
    ) {
        commands = Mutex(Commands(loop: loop))
        history = Mutex(
            FeedHistory(length: Double(stream.reader.frames) * stream.ratio, engineRate: stream.engineRate))
        engineRate = stream.engineRate
        self.report = report
        self.deliver = deliver
        channels = stream.reader.channels
        var capacity = 4096
        while Double(capacity) < 0.34 * engineRate { capacity *= 2 }
        self.capacity = capacity
        self.prefill = min(max(prefill, 1), capacity)
        self.lead = min(max(lead, 0), Self.chunkFrames)
        chunk = .allocate(capacity: Self.chunkFrames * channels)
        let none = FrameRing(channels: 1, capacity: 1)
        producer = none.producer
        self.stream = stream
    }

    deinit { chunk.deallocate() }

    /// Delivers the first feed and starts the thread.
    func start() throws(MediaError) {
        try begin(at: 0, loop: commands.withLock { $0.loop }, lead: lead)
        do throws(ThreadError) {
            _ = try ProgramThread("media") { [self] in
                run()
                report(stream.reader.limited)
                done.signal()
            }
        } catch {
            producer.end()
            throw MediaError(error.sentence)
        }
    }

    func command(_ change: (inout Commands) -> Void) {
        commands.withLock { change(&$0) }
        wake.signal()
    }

    /// Stops the thread and waits for it. Further calls have no effect.
    func stop() {
        command { $0.stop = true }
        done.wait()
        done.signal()
    }

    /// Reports samples that were limited, unless as many were reported before. For any thread.
    func report(_ limited: LimitedSamples) {
        let isNew = reported.withLock { reported in
            defer { reported = max(reported, limited.count) }
            return limited.count > reported
        }
        if isNew { limited.warnings.forEach(report) }
    }

    private func run() {
        var pause = 10
        while true {
            let now = commands.withLock { commands in
                defer { commands.seek = nil }
                return commands
            }
            if now.stop { break }
            do {
                if let seconds = now.seek {
                    try begin(at: Int(clamping: (seconds * engineRate).rounded()), loop: now.loop)
                } else if finished && now.loop && !broken && producer.filled == 0 {
                    try begin(at: 0, loop: true)
                }
                if !finished && producer.free >= Self.chunkFrames {
                    finished = try refill(&producer, Self.chunkFrames, loop: now.loop)
                    continue
                }
            } catch {
                (broken, finished) = (true, true)
                producer.end()
                report(error.description)
            }
            if finished && (broken || !now.loop) {
                wake.wait()
            } else {
                let before = producer.free
                _ = wake.wait(timeout: .now() + .milliseconds(pause))
                pause = Self.pause(after: pause, used: producer.free - before)
            }
            while wake.wait(timeout: .now()) == .success {}
        }
        producer.end()
    }

    /// Returns the next pause in milliseconds: longer for a feed that is used slowly. Reading much faster than real time
    /// means that a file is being rendered.
    static func pause(after pause: Int, used: Int) -> Int {
        used > 200 * pause ? 1 : used == 0 ? 20 : 10
    }

    /// Replaces the current feed by a new one; keeps the current one when the new one cannot be filled.
    private func begin(at frame: Int, loop: Bool, lead: Int = 0) throws(MediaError) {
        try stream.seek(frame: frame, loop: loop)
        fromStart = frame <= 0
        let start = Int64(min(frame, stream.frames))
        let number = history.withLock { $0.add(start: start) }
        let ring = FrameRing(channels: channels, capacity: capacity)
        var next = ring.producer
        if lead > 0 {
            chunk.update(repeating: 0, count: lead * channels)
            _ = next.write(chunk, frames: lead)
        }
        var ended = false
        while !ended && next.filled < prefill {
            ended = try refill(&next, min(Self.chunkFrames, prefill - next.filled), loop: loop)
        }
        producer = next
        finished = ended
        broken = false
        deliver(Feed(frames: ring.consumer, number: number, start: start))
    }

    /// Refills the ring; at the end of the recording, marks the ring as ended and returns true.
    private func refill(_ ring: inout FrameRing.Producer, _ frames: Int, loop: Bool) throws(MediaError) -> Bool {
        let laps = stream.laps
        let got = try stream.read(into: chunk, frames: frames, loop: loop)
        // The count is that of the whole recording once all of it has been read.
        if fromStart, stream.laps > 0 || stream.reader.position == stream.reader.frames { report(stream.reader.limited) }
        if stream.laps != laps { history.withLock { $0.wrapped(laps: stream.laps) } }
        _ = ring.write(chunk, frames: got)
        if got < frames { ring.end() }
        return got < frames
    }
}
