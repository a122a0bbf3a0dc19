internal import Synchronization

/// Which feed began where: turns what the audio side has used of a feed into a place in the recording.
struct FeedHistory: Sendable {
    struct Entry: Sendable {
        let number: Int64
        let start: Int64
        /// How often this feed has gone on from the end to the start, as far as it has been read.
        var laps = 0
    }

    /// The recording's length in engine frames, fractions included.
    let length: Double
    let engineRate: Double
    private var entries: [Entry] = []
    /// The audio side names the feed it hears a moment ago; more than these have never been on their way.
    private static let depth = 8
    private static let counter = Atomic<Int64>(0)

    init(length: Double, engineRate: Double) {
        self.length = length
        self.engineRate = engineRate
    }

    /// Enters a feed that begins at `start`; returns its number.
    mutating func add(start: Int64) -> Int64 {
        let number = Self.counter.wrappingAdd(1, ordering: .relaxed).newValue
        entries = entries.suffix(Self.depth - 1) + [Entry(number: number, start: start)]
        return number
    }

    /// Tells how often the newest feed has wrapped.
    mutating func wrapped(laps: Int) { entries[entries.count - 1].laps = laps }

    /// Seconds from the recording's start, or nil for a feed that is unknown or long gone.
    func position(feed number: Int64, framesUsed: Int64) -> Double? {
        guard let entry = entries.last(where: { $0.number == number }) else { return nil }
        let frame = Double(entry.start + framesUsed)
        let laps = min((frame / length).rounded(.down), Double(entry.laps))
        return min(max(frame - laps * length, 0), length) / engineRate
    }
}
