/// Burst of fifteen round trips, whose median is not affected by single slow ones.
public struct RoundTripBurst: Sendable {
    public static let count = 15
    /// Minimum number of answers for a burst to have a result.
    static let fewest = 8

    /// Result of a burst.
    public struct Reading: Sendable, Equatable {
        /// Median of the durations, milliseconds.
        public let duration: Double
        /// Difference of the clocks in the shortest round trip, where it is known best.
        public let offset: Double
        /// Duration of that round trip, milliseconds.
        public let shortest: Double

        public init(duration: Double, offset: Double, shortest: Double? = nil) {
            self.duration = duration
            self.offset = offset
            self.shortest = shortest ?? duration
        }
    }

    private var questions: [Int: Double] = [:]
    private var trips: [RoundTrip] = []
    private var asked = 0
    private var number = 0

    public init() {}

    /// Whether all questions have been asked.
    public var isAsked: Bool { asked == Self.count }
    /// Whether all answers have arrived.
    public var isComplete: Bool { trips.count == Self.count }

    /// Begins another burst; answers to earlier questions no longer count.
    public mutating func begin() {
        questions = [:]
        trips = []
        asked = 0
    }

    /// Notes a question.
    /// - Returns: its number, which no other question of this connection has.
    public mutating func ask(at sent: Double) -> Int {
        asked += 1
        number += 1
        questions[number] = sent
        return number
    }

    /// Notes an answer.
    /// - Returns: false for an answer to no question, a second answer, or one with impossible times.
    public mutating func answer(_ number: Int, received: Double, answered: Double, returned: Double) -> Bool {
        guard let sent = questions.removeValue(forKey: number),
            let trip = RoundTrip(sent: sent, received: received, answered: answered, returned: returned)
        else { return false }
        trips.append(trip)
        return true
    }

    /// Median duration and best offset; nil with too few answers.
    public var reading: Reading? {
        guard trips.count >= Self.fewest else { return nil }
        let sorted = trips.sorted { $0.duration < $1.duration }
        let middle = sorted.count / 2
        let median = sorted.count % 2 == 1 ? sorted[middle].duration : (sorted[middle - 1].duration + sorted[middle].duration) / 2
        return Reading(duration: median, offset: sorted[0].offset, shortest: sorted[0].duration)
    }
}
