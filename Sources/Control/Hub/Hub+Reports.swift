internal import CRealtime
internal import Foundation
internal import Parameters
internal import Synchronization

/// Warnings and errors: logged, and published as the notice that every client can read.
extension Hub {
    /// Logs and publishes a warning or an error.
    /// - Parameter client: sender of the message that the text is about; nil for the program itself.
    public func notice(_ text: String, from client: NetworkAddress? = nil) { report(text, .notice, client) }

    /// As ``notice(_:from:)``, but logs the same text only once.
    public func complain(_ text: String, _ kind: LogSource.Kind = .notice, from client: NetworkAddress? = nil) {
        report(text, kind, client, isLoggedOnce: true)
    }

    /// Logs a line that is not a warning.
    public func log(_ text: String) { onLog(text, LogSource(.notice)) }

    private func report(_ text: String, _ kind: LogSource.Kind, _ client: NetworkAddress?, isLoggedOnce: Bool = false) {
        let text = LogText.line(text)
        if !isLoggedOnce || noticeFilter.isNew(text) {
            onLog(text, LogSource(kind, client: client))
        }
        // The time comes first, so that a client has it when it receives the notice.
        publish(tree.index(EngineParameter.noticeTime), .text(noticeTime.now()))
        change(tree.index(EngineParameter.notice), .text(text), except: nil)
    }

    /// The client that a message comes from; nil for the program's own messages.
    static func client(of message: Message, _ subscriber: Subscriber?) -> NetworkAddress? {
        guard let address = message.sender ?? subscriber?.address, !address.isOfProgram else { return nil }
        return address
    }

    /// Reports a value that was out of range, and the one that was set instead.
    @discardableResult
    public func noticeClamped(
        _ address: String, _ asked: [Float], into range: ClosedRange<Float>, _ taken: [Float], from client: NetworkAddress?
    ) -> String {
        let text = Self.clampedText(address, asked, into: range, taken)
        reportClamped(text, from: client)
        return text
    }

    func reportClamped(_ text: String, from client: NetworkAddress?) { report(text, .clamped, client) }

    /// A value that was out of range, and the one that was set instead, in words.
    static func clampedText(_ address: String, _ asked: [Float], into range: ClosedRange<Float>, _ taken: [Float]) -> String {
        let words = { (numbers: [Float]) in numbers.map(short).joined(separator: " ") }
        return "\(address): \(words(asked)) is outside \(short(range.lowerBound)) to \(short(range.upperBound)); \(words(taken)) was set"
    }

    private static func short(_ number: Float) -> String {
        number == number.rounded() && abs(number) < 1e6 ? "\(Int(clamping: number))" : "\(number)"
    }

    /// Returns the error text for an unknown path, with the nearest existing address.
    public func suggest(_ path: String) -> String { suggestions.text(for: path, in: tree) }

    /// Counts and reports a message to an unknown address.
    func countUnknown(_ address: String, from client: NetworkAddress?) -> Reply {
        counters.unknown += 1
        publish(tree.index(EngineParameter.unknown), .number(Float(counters.unknown)))
        let text = suggest(address)
        complain(text, .unknown, from: client)
        return .unknown(text)
    }

    /// Counts messages to unknown addresses that were dropped unread because too many came.
    public func countUnknown(more: Int) {
        counters.unknown += more
        publish(tree.index(EngineParameter.unknown), .number(Float(counters.unknown)))
        complain("messages to unknown addresses arrive faster than they are read; unread ones are counted", .unknown)
    }

    /// Counts and reports a packet that could not be parsed.
    public func countMalformed(_ reason: String, from client: NetworkAddress?) {
        counters.malformed += 1
        publish(tree.index(EngineParameter.malformed), .number(Float(counters.malformed)))
        complain(reason, .malformed, from: client)
    }
}

/// Error texts for unknown addresses, naming the nearest existing one. Recent texts are kept: a sender with a wrong address
/// sends it a hundred times a second, and the search reads every address.
struct AddressSuggestions {
    private var recent: [String: String] = [:]
    private static let capacity = 256
    /// Searches per second: each reads every address.
    private var budget = MessageBudget(rate: 50, now: rt_now())
    /// Bytes of a path that are searched for and repeated to the sender.
    private static let longestPath = 256

    mutating func text(for path: String, in tree: ParameterTree) -> String {
        let path = path.utf8.count <= Self.longestPath ? path : path.prefix(Self.longestPath / 4) + "…"
        if let known = recent[path] { return known }
        guard budget.spend(1, now: rt_now()) else { return "no parameter at \(path)" }
        // Listeners come and go, so that this is not kept.
        if let listener = tree.absentListener(in: path) {
            return "no parameter at \(path); there is no listener \(listener), but \(tree.presentListenersText)"
        }
        if let absence = tree.absentObjectText(in: path) { return "no parameter at \(path); \(absence)" }
        let nearest = NearestName.find(path, among: tree.nodes.map(\.address).filter { !$0.isEmpty })
        let text = "no parameter at \(path)" + (nearest.map { "; did you mean \($0)?" } ?? "")
        if recent.count >= Self.capacity { recent.removeAll() }
        recent[path] = text
        return text
    }
}

/// Lets each notice through once, so that a client that repeats a mistake a thousand times a second does not fill the log.
struct NoticeFilter {
    private var known: Set<String> = []
    private static let capacity = 256

    /// Whether a text is to be logged; the text is noted.
    mutating func isNew(_ text: String) -> Bool {
        if known.count >= Self.capacity { known.removeAll() }
        return known.insert(text).inserted
    }
}

/// The current time as a text, made once a second at most.
struct NoticeTime {
    private var second = 0
    private var text = ""

    /// The time in seconds in the form of ISO 8601, UTC: `2026-11-23T02:40:00Z`.
    mutating func now() -> String {
        let second = time(nil)
        if second != self.second {
            (self.second, text) = (second, Date(timeIntervalSince1970: Double(second)).ISO8601Format())
        }
        return text
    }
}

/// Counts of messages that could not be applied.
struct MessageCounters {
    /// Messages with an unknown address.
    var unknown = 0
    /// Packets that could not be parsed.
    var malformed = 0
}

/// Text messages of other threads, on their way to the control thread.
public final class ReportQueue: Sendable {
    private let waiting = Mutex<[String]>([])
    private let wake = Mutex<(@Sendable () -> Void)?>(nil)

    public init() {}

    /// Calls `body`, on the reporting thread, whenever a message was added, and at once when messages are waiting.
    public func onReport(_ body: @escaping @Sendable () -> Void) {
        wake.withLock { $0 = body }
        if waiting.withLock({ !$0.isEmpty }) { body() }
    }

    public func add(_ text: String) {
        waiting.withLock { $0.append(text) }
        wake.withLock { $0 }?()
    }

    /// Returns all messages since the last call, oldest first.
    public func take() -> [String] {
        waiting.withLock { texts in
            defer { texts = [] }
            return texts
        }
    }
}
