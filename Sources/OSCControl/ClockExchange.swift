internal import Glibc

/// Finds another machine's clock by questions and answers of four timestamps each (RFC 5905, 8): fifteen in a row, of
/// which the median counts, so that single packets that were held up do not. What is left of an asymmetric way, no
/// exchange can see.
public struct ClockExchange: Sendable {
    /// Questions of one round.
    public static let questions: Int32 = 15
    /// Rounds from which the drift is told.
    private static let mostRounds = 16
    /// Seconds between the first and the last round before a drift is believed.
    private static let leastSpan = 5.0
    /// No clock of a computer is further off.
    private static let mostDrift = 500e-6
    /// Seconds since 1900 that can be this century's.
    private static let times = 3.0e9...9.0e9

    private struct Round {
        var offset: Int64
        var time: UInt64
    }

    private var number: Int32 = 0
    private var asked: UInt64 = 0
    private var offsets: [Int64] = []
    private var delays: [Int64] = []
    private var rounds: [Round] = []
    /// Nil until the first round is complete.
    public private(set) var clock: RemoteClock?
    /// Seconds that a question and its answer travel, together: the median of the last round.
    public private(set) var roundTrip = 0.0

    public init() {}

    /// Begins a round, and forgets one that was never completed.
    /// - Parameter now: when the question is sent, CLOCK_MONOTONIC nanoseconds.
    /// - Returns: the number to ask with.
    public mutating func begin(now: UInt64) -> Int32 {
        (offsets, delays) = ([], [])
        return ask(now)
    }

    private mutating func ask(_ now: UInt64) -> Int32 {
        number = number == .max ? 1 : number + 1
        asked = now
        return number
    }

    /// What an answer leads to.
    public enum Outcome: Equatable, Sendable {
        /// The next question.
        case ask(Int32)
        /// The round is complete.
        case known(RemoteClock)
        /// It answers nothing that was asked.
        case ignored
    }

    /// Takes an answer.
    ///
    /// - Parameters:
    ///   - number: of the question.
    ///   - received, sent: on the other clock, seconds since 1900, when the question came and when the answer left.
    ///   - arrived: here, CLOCK_MONOTONIC nanoseconds.
    ///   - now: when the next question is sent.
    public mutating func answer(
        _ number: Int32, received: Double, sent: Double, arrived: UInt64, now: UInt64
    ) -> Outcome {
        guard number == self.number, asked != 0, arrived >= asked, Self.times.contains(received),
            Self.times.contains(sent), sent >= received
        else { return .ignored }
        let there = (Int64(received * 1e9), Int64(sent * 1e9))
        let here = (Int64(asked), Int64(arrived))
        offsets.append((there.0 - here.0) / 2 + (there.1 - here.1) / 2)
        delays.append(max(0, (here.1 - here.0) - (there.1 - there.0)))
        guard offsets.count >= Int(Self.questions) else { return .ask(ask(now)) }
        asked = 0
        return .known(complete(arrived))
    }

    private mutating func complete(_ now: UInt64) -> RemoteClock {
        roundTrip = Double(Self.median(delays)) / 1e9
        let offset = Self.median(offsets)
        // A clock that was set has nothing to do with what it was.
        if let last = clock, abs(offset - last.offset) > 50_000_000 { rounds = [] }
        rounds.append(Round(offset: offset, time: now))
        if rounds.count > Self.mostRounds { rounds.removeFirst() }
        let known = RemoteClock(offset: offset, reference: now, drift: drift)
        clock = known
        return known
    }

    /// The median of the slopes between all pairs of rounds (Theil 1950, Sen 1968).
    private var drift: Double {
        guard let first = rounds.first, let last = rounds.last, Double(last.time - first.time) / 1e9 >= Self.leastSpan
        else { return 0 }
        var slopes: [Double] = []
        for i in rounds.indices {
            for j in rounds.indices where j > i && rounds[j].time > rounds[i].time {
                slopes.append(Double(rounds[j].offset - rounds[i].offset) / Double(rounds[j].time - rounds[i].time))
            }
        }
        return max(-Self.mostDrift, min(Self.mostDrift, slopes.sorted()[slopes.count / 2]))
    }

    private static func median(_ values: [Int64]) -> Int64 { values.sorted()[values.count / 2] }
}
