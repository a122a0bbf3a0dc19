public import Crossing
internal import Synchronization

/// A run of a recording from one position on, which the audio thread plays until the next feed replaces it.
@frozen
public struct Feed: ~Copyable, Sendable {
    /// Interleaved frames at the engine rate; ``FrameRing/Consumer/hasEnded`` after the last one.
    public let frames: FrameRing.Consumer
    /// Feed number, counted from 1 across the process.
    public let number: Int64
    /// Start in the recording, in frames of the engine's rate.
    public let start: Int64

    public init(frames: consuming FrameRing.Consumer, number: Int64, start: Int64) {
        self.frames = frames
        self.number = number
        self.start = start
    }
}

/// Starts of the latest feeds, by which the frames used of a feed become a position in the recording.
struct FeedHistory: Sendable {
    struct Entry: Sendable {
        let number: Int64
        let start: Int64
        /// Number of times the feed, as far as it has been read, has continued from the end at the start.
        var laps = 0
    }

    /// Length of the recording in frames at the engine rate, including the fraction.
    let length: Double
    let engineRate: Double
    private var entries: [Entry] = []
    /// Number of feeds remembered: more than can be in transit between the media and the audio thread.
    private static let depth = 8
    private static let counter = Atomic<Int64>(0)

    init(length: Double, engineRate: Double) {
        self.length = length
        self.engineRate = engineRate
    }

    /// Adds a feed that begins at `start`; returns its number.
    mutating func add(start: Int64) -> Int64 {
        let number = Self.counter.wrappingAdd(1, ordering: .relaxed).newValue
        entries = entries.suffix(Self.depth - 1) + [Entry(number: number, start: start)]
        return number
    }

    /// Sets the number of times the newest feed has wrapped.
    mutating func wrapped(laps: Int) { entries[entries.count - 1].laps = laps }

    /// Returns the position in seconds from the recording's start, or nil for a feed that is unknown or forgotten.
    func position(feed number: Int64, framesUsed: Int64) -> Double? {
        guard let entry = entries.last(where: { $0.number == number }) else { return nil }
        let frame = Double(entry.start + framesUsed)
        let laps = min((frame / length).rounded(.down), Double(entry.laps))
        return min(max(frame - laps * length, 0), length) / engineRate
    }
}
