internal import CRealtime
internal import Glibc
public import Parameters

/// Measures another machine's clock by exchanges of four timestamps (RFC 5905, section 8). A round has fifteen exchanges,
/// of which the median is used, so that single delayed packets have no influence. An asymmetric network delay cannot be
/// detected by any such exchange.
public struct ClockExchange: Sendable {
    /// Number of exchanges in one round.
    public static let questions: Int32 = 15
    /// Number of recent rounds used to estimate the drift.
    private static let maximumRounds = 16
    /// Minimum seconds between the first and the last round for a drift estimate.
    private static let minimumSpan = 5.0
    /// Upper limit of the drift of computer clocks.
    private static let maximumDrift = 500e-6
    /// Plausible times in seconds since 1900.
    public static let timetags = 3.0e9...9.0e9

    private struct Round {
        var offset: Int64
        var time: UInt64
    }

    private let times: ClosedRange<Double>
    private var number: Int32
    private var asked: UInt64 = 0
    private var offsets: [Int64] = []
    private var delays: [Int64] = []
    private var rounds: [Round] = []
    /// The measured clock; nil until the first round is complete.
    public private(set) var clock: RemoteClock?
    /// Median round-trip time of the last round in seconds, without the remote processing time.
    public private(set) var roundTrip = 0.0

    /// - Parameters:
    ///   - times: plausible times of the remote clock, seconds.
    ///   - first: number before that of the first question.
    public init(times: ClosedRange<Double> = Self.timetags, first: Int32 = 0) { (self.times, number) = (times, first) }

    /// Begins a round, discarding an incomplete one.
    /// - Parameter now: time at which the question is sent, CLOCK_MONOTONIC nanoseconds.
    /// - Returns: the number of the question.
    public mutating func begin(now: UInt64) -> Int32 {
        (offsets, delays) = ([], [])
        return ask(now)
    }

    private mutating func ask(_ now: UInt64) -> Int32 {
        number = number == .max ? 1 : number + 1
        asked = now
        return number
    }

    /// Result of processing an answer.
    public enum Outcome: Equatable, Sendable {
        /// The next question.
        case ask(Int32)
        /// The round is complete.
        case known(RemoteClock)
        /// The answer does not match the open question.
        case ignored
    }

    /// Processes an answer.
    ///
    /// - Parameters:
    ///   - number: of the question.
    ///   - received, sent: times at which the question was received and the answer sent, in seconds of the remote clock.
    ///   - arrived: local receive time of the answer, CLOCK_MONOTONIC nanoseconds.
    ///   - now: time at which the next question is sent.
    public mutating func answer(
        _ number: Int32, received: Double, sent: Double, arrived: UInt64, now: UInt64
    ) -> Outcome {
        guard number == self.number, asked != 0, arrived >= asked, times.contains(received), times.contains(sent), sent >= received,
            let receivedThere = Int64(checked: received * 1e9),
            let sentThere = Int64(checked: sent * 1e9)
        else { return .ignored }
        let there = (receivedThere, sentThere)
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
        // Earlier rounds are meaningless after the clock was set.
        if let last = clock, abs(offset - last.offset) > 50_000_000 { rounds = [] }
        rounds.append(Round(offset: offset, time: now))
        if rounds.count > Self.maximumRounds { rounds.removeFirst() }
        let known = RemoteClock(offset: offset, reference: now, drift: drift)
        clock = known
        return known
    }

    /// The median of the slopes between all pairs of rounds (Theil 1950, Sen 1968).
    private var drift: Double {
        guard let first = rounds.first, let last = rounds.last, Double(last.time - first.time) / 1e9 >= Self.minimumSpan
        else { return 0 }
        var slopes: [Double] = []
        for i in rounds.indices {
            for j in rounds.indices where j > i && rounds[j].time > rounds[i].time {
                slopes.append(Double(rounds[j].offset - rounds[i].offset) / Double(rounds[j].time - rounds[i].time))
            }
        }
        return max(-Self.maximumDrift, min(Self.maximumDrift, slopes.sorted()[slopes.count / 2]))
    }

    private static func median(_ values: [Int64]) -> Int64 { values.sorted()[values.count / 2] }
}

/// OSC messages of a ``ClockExchange``, over any transport; see protocol/README.md.
public struct ClockConversation {
    public private(set) var exchange = ClockExchange()

    public init() {}

    /// Answers `/clock` and `/clock/answer`.
    ///
    /// - Parameters:
    ///   - arrived: receive time of the message, CLOCK_MONOTONIC nanoseconds.
    ///   - send: sends one reply immediately.
    /// - Returns: false for every other message.
    public mutating func take(
        _ address: String, _ arguments: [Argument], arrived: UInt64, send: ([UInt8]) -> Void
    ) -> Bool {
        switch address {
        case "/clock":
            guard arguments.first?.isRelease != true else { return true }
            ask(exchange.begin(now: rt_now()), send)
        case "/clock/answer":
            guard arguments.count == 3, case .int(let number) = arguments[0], case .double(let received) = arguments[1],
                case .double(let sent) = arguments[2]
            else { return true }
            switch exchange.answer(number, received: received, sent: sent, arrived: arrived, now: rt_now()) {
            case .ask(let number): ask(number, send)
            case .known(let clock):
                let offset = Double(clock.offset) / 1e9
                send(
                    OSCPacket.bytes(
                        "/clock/known", [.double(offset), .double(exchange.roundTrip), .double(clock.drift * 1e6)]))
            case .ignored: break
            }
        default: return false
        }
        return true
    }

    private func ask(_ number: Int32, _ send: ([UInt8]) -> Void) { send(OSCPacket.bytes("/clock/ask", [.int(number)])) }
}

/// Another machine's clock relative to the local one: offset and drift.
public struct RemoteClock: Sendable, Equatable {
    /// Nanoseconds there (since 1900 where the clock is that of timetags) minus CLOCK_MONOTONIC nanoseconds here, at `reference`.
    public var offset: Int64
    /// CLOCK_MONOTONIC nanoseconds.
    public var reference: UInt64
    /// Relative rate difference; positive when the remote clock is faster.
    public var drift: Double

    public init(offset: Int64, reference: UInt64, drift: Double) {
        self.offset = offset
        self.reference = reference
        self.drift = drift
    }

    /// Converts a timetag of the remote clock to local CLOCK_MONOTONIC nanoseconds.
    public func local(timetag: UInt64) -> UInt64 { local(Self.nanoseconds(timetag: timetag)) }

    /// Converts nanoseconds of the remote clock to local CLOCK_MONOTONIC nanoseconds.
    public func local(_ there: Int64) -> UInt64 {
        // Drift since the reference. The elapsed time is accurate enough without correcting it for the drift itself.
        let passed = Double(there &- offset &- Int64(bitPattern: reference))
        return UInt64(clamping: there &- offset &- Int64(clamping: passed * drift))
    }

    /// Converts an NTP time to nanoseconds since 1900.
    static func nanoseconds(timetag: UInt64) -> Int64 {
        Int64((timetag >> 32) * 1_000_000_000 + ((timetag & 0xFFFF_FFFF) * 1_000_000_000) >> 32)
    }
}
