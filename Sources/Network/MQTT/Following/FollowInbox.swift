internal import CMosquitto
internal import Foundation
internal import Hub
internal import Parameters
internal import Session
internal import Synchronization

/// The newest messages from the broker about a followed engine: the last one of each kind and of each parameter.
///
/// Filled on the broker's thread, which reads texts and sessions there; emptied on the control thread. Its size is bounded.
final class FollowInbox: Sendable {
    /// Messages that are taken at once.
    struct Reports: Sendable {
        /// Whether the engine is there, as reported last.
        var isOnline: Bool?
        /// Whether the engine has appeared, even if it has disappeared since.
        var isFresh = false
        var transport: TransportMessage?
        /// Names of the engines that it follows, directly and through others, in order.
        var chain: [String]?
        var answers: [Answer] = []
        /// Messages that could not be understood, or for which there was no room.
        var refused = 0
        /// The reason of the last refusal.
        var refusal = ""
    }

    private struct Contents: Sendable {
        var reports = Reports()
        /// Values by address.
        var values: [String: [Argument]] = [:]
        /// Bytes of the values' messages.
        var bytes = 0
        var session: Result<SessionFile, SessionError>?
    }

    /// An answer to a question about the clock.
    struct Answer: Sendable {
        let number: Int32
        let reading: ClockReading
        /// CLOCK_MONOTONIC nanoseconds.
        let arrived: UInt64
    }

    /// Maximum number of parameters whose values are kept between two reads, and of bytes of their texts.
    static let mostValues = 65_536
    static let mostBytes = 8_388_608
    private static let mostAnswers = 64
    private static let longestChain = 32

    /// Topics of the engine that is followed.
    let leader: MQTTTopics
    private let answers: String
    private let tree: ParameterTree
    private let contents = Mutex(Contents())
    private let wake: @Sendable () -> Void

    /// - Parameters:
    ///   - answers: topic of answers about the clock.
    ///   - tree: of this engine, by which racks and scenes are checked.
    ///   - wake: wakes the control thread; called on the broker's thread.
    init(leader: MQTTTopics, answers: String, tree: ParameterTree, wake: @escaping @Sendable () -> Void) {
        (self.leader, self.answers, self.tree, self.wake) = (leader, answers, tree, wake)
    }

    func takeReports() -> Reports {
        contents.withLock { contents in
            defer { contents.reports = Reports() }
            return contents.reports
        }
    }

    func takeValues() -> [String: [Argument]] {
        contents.withLock { contents in
            defer { (contents.values, contents.bytes) = ([:], 0) }
            return contents.values
        }
    }

    func takeSession() -> Result<SessionFile, SessionError>? {
        contents.withLock { contents in
            defer { contents.session = nil }
            return contents.session
        }
    }

    /// Clears everything: the connection was lost.
    func clear() { contents.withLock { $0 = Contents() } }

    // MARK: Broker's thread

    func receive(_ topic: String, _ message: mosquitto_message, _ properties: OpaquePointer?, now: UInt64) {
        let payload = message.payload.map { Array(UnsafeRawBufferPointer(start: $0, count: Int(message.payloadlen))) } ?? []
        if let address = leader.address(ofState: topic) {
            receive(value: payload, of: address)
        } else if topic == leader.session {
            guard !payload.isEmpty else { return }
            let text = String(decoding: payload, as: UTF8.self)
            let session = Result { () throws(SessionError) in try SessionFile.parse(text, path: topic, tree) }
            contents.withLock { $0.session = session }
        } else if topic == leader.online {
            let isOnline = payload.elementsEqual("true".utf8)
            contents.withLock {
                $0.reports.isOnline = isOnline
                if isOnline { $0.reports.isFresh = true }
            }
        } else if topic == leader.transport {
            guard let report = TransportMessage(payload) else { return refuse("\(topic) is not a report of a transport") }
            contents.withLock { $0.reports.transport = report }
        } else if topic == answers {
            receive(answer: payload, properties, now: now)
        }
        wake()
    }

    private func receive(value payload: [UInt8], of address: String) {
        guard address.utf8.count <= MQTTArrival.longestTopic, payload.count <= MQTTArrival.largestPayload, !payload.isEmpty else { return }
        switch MQTTValue.arguments(payload) {
        case .failure(let reason): refuse("\(address): \(reason)")
        case .success(let arguments):
            let chain: [String]? =
                if address == FollowParameter.chain.address(), case .string(let names) = arguments.first {
                    names.split(separator: "/").prefix(Self.longestChain).map(String.init)
                } else { nil }
            let isTaken = contents.withLock { contents in
                if let chain { contents.reports.chain = chain }
                let isKnown = contents.values[address] != nil
                guard isKnown || contents.values.count < Self.mostValues, contents.bytes + payload.count <= Self.mostBytes else {
                    return false
                }
                contents.values[address] = arguments
                contents.bytes += payload.count
                return true
            }
            if !isTaken { refuse("its values arrive faster than they can be processed") }
        }
    }

    private func receive(answer payload: [UInt8], _ properties: OpaquePointer?, now: UInt64) {
        let data = MQTTArrival.correlation(of: properties) ?? []
        guard let number = Int32(String(decoding: data, as: UTF8.self)), let reading = ClockReading(payload) else { return }
        contents.withLock {
            guard $0.reports.answers.count < Self.mostAnswers else { return }
            $0.reports.answers.append(Answer(number: number, reading: reading, arrived: now))
        }
    }

    private func refuse(_ reason: String) {
        contents.withLock {
            $0.reports.refused += 1
            $0.reports.refusal = reason
        }
    }
}

/// An engine's answer to a question about its clock, CLOCK_MONOTONIC in seconds.
struct ClockReading: Codable, Equatable {
    /// Time at which the question arrived.
    let received: Double
    /// Time of the answer.
    let sent: Double

    init(received: UInt64, sent: UInt64) { (self.received, self.sent) = (Double(received) / 1e9, Double(sent) / 1e9) }

    /// - Returns: nil for anything else.
    init?(_ payload: [UInt8]) {
        guard let reading = try? JSONDecoder().decode(Self.self, from: Data(payload)) else { return nil }
        self = reading
    }

    var json: [UInt8] {
        #"{"received":"#.utf8 + MQTTValue.number(received) + Array(#","sent":"#.utf8) + MQTTValue.number(sent) + [UInt8(ascii: "}")]
    }
}

/// A ``TransportReport`` as JSON, with the time in seconds of the sender's CLOCK_MONOTONIC.
struct TransportMessage: Codable, Equatable {
    let recording: String
    let state: String
    let position: Double
    let time: Double
    let duration: Double
    let loop: Bool

    /// Seconds of a clock and of a recording.
    static let times = 0.0...4e9

    init(_ report: TransportReport) {
        (recording, position, time) = (report.recording, report.position, Double(report.time) / 1e9)
        state = TransportState(rawValue: report.state)?.name ?? ""
        (duration, loop) = (report.duration, report.loops)
    }

    /// - Returns: nil for anything else.
    init?(_ payload: [UInt8]) {
        guard let message = try? JSONDecoder().decode(Self.self, from: Data(payload)), message.recording.utf8.count <= 4096,
            [message.position, message.time, message.duration].allSatisfy(Self.times.contains)
        else { return nil }
        self = message
    }

    var json: [UInt8] {
        let members: [(String, [UInt8])] = [
            ("recording", MQTTValue.quoted(recording)), ("state", MQTTValue.quoted(state)), ("position", MQTTValue.number(position)),
            ("time", MQTTValue.number(time)), ("duration", MQTTValue.number(duration)), ("loop", Array((loop ? "true" : "false").utf8)),
        ]
        let lines = members.map { MQTTValue.quoted($0) + [UInt8(ascii: ":")] + $1 }
        return [UInt8(ascii: "{")] + lines.joined(separator: [UInt8(ascii: ",")]) + [UInt8(ascii: "}")]
    }

    /// The report, with its time by the clock of this machine.
    /// - Returns: nil for a state that does not exist.
    func report(_ local: (_ nanoseconds: Int64) -> UInt64) -> TransportReport? {
        guard let state = TransportState.allCases.first(where: { $0.name == self.state }) else { return nil }
        let time = time == 0 ? 0 : Int64(checked: time * 1e9).map(local) ?? 0
        return TransportReport(
            recording: recording, state: state.number, position: position, time: time, duration: duration, loops: loop)
    }
}
