/// One question and its answer, with four times in milliseconds: two of the asking side's clock, two of the answering side's.
public struct RoundTrip: Sendable, Equatable {
    /// Departure of the question and arrival of the answer, by the clock of the side that asks.
    public let sent: Double
    public let returned: Double
    /// Arrival of the question and departure of the answer, by the clock of the side that answers.
    public let received: Double
    public let answered: Double

    /// - Returns: nil when the times are impossible: not finite, or in the wrong order.
    public init?(sent: Double, received: Double, answered: Double, returned: Double) {
        guard [sent, received, answered, returned].allSatisfy(\.isFinite), received <= answered, sent <= returned else { return nil }
        guard answered - received <= returned - sent + 1 else { return nil }
        self.sent = sent
        self.received = received
        self.answered = answered
        self.returned = returned
    }

    /// Time on the network in both directions, milliseconds.
    public var duration: Double { max(0, (returned - sent) - (answered - received)) }
    /// Difference of the clocks: the answering side's minus the asking side's, milliseconds.
    public var offset: Double { ((received - sent) + (answered - returned)) / 2 }
}

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

/// Tendency of the last ten medians of round trips: whether the network becomes slower.
public struct Tendency: Sendable {
    public static let count = 10
    private var values: [Double] = []

    public init() {}

    public mutating func add(_ value: Double) {
        if values.count == Self.count { values.removeFirst() }
        values.append(value)
    }

    /// Lowest of all values that are known.
    public var floor: Double? { values.min() }
    public var latest: Double? { values.last }

    /// Slope of the line of least squares through the values, per value; 0 with fewer than three.
    public var slope: Double {
        guard values.count >= 3 else { return 0 }
        let middle = Double(values.count - 1) / 2
        let mean = values.reduce(0, +) / Double(values.count)
        var (product, square) = (0.0, 0.0)
        for (index, value) in values.enumerated() {
            let distance = Double(index) - middle
            product += distance * (value - mean)
            square += distance * distance
        }
        return product / square
    }

    /// Whether the latest round trip is much longer than the shortest one, or the trend has added as much.
    ///
    /// - Parameter tolerance: milliseconds.
    public func isRising(beyond tolerance: Double) -> Bool {
        guard let floor, let latest else { return false }
        return latest > 2 * floor + tolerance || (latest > floor + tolerance / 2 && slope * Double(values.count - 1) > tolerance)
    }
}

/// Difference of two clocks, by the shortest of the latest round trips: a long one may have been long in one direction only.
public struct ClockOffset: Sendable {
    /// Bursts of round trips that count.
    public static let count = 8
    private var readings: [RoundTripBurst.Reading] = []

    public init() {}

    public mutating func add(_ reading: RoundTripBurst.Reading) {
        if readings.count == Self.count { readings.removeFirst() }
        readings.append(reading)
    }

    /// The answering side's clock minus the asking side's, milliseconds; nil before the first burst.
    public var value: Double? { readings.min { $0.shortest < $1.shortest }?.offset }
}
