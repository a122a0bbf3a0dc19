internal import Parameters

/// Warnings and errors: logged, and published as the notice that every client can read.
extension Hub {
    /// Logs and publishes a warning or an error.
    public func notice(_ text: String) { report(text, .notice) }

    /// As ``notice(_:)``, but logs the same text only once.
    public func complain(_ text: String, _ kind: LogSource.Kind = .notice) { report(text, kind, isLoggedOnce: true) }

    /// Logs a line that is no warning.
    public func log(_ text: String) { onLog(text, LogSource(.notice, client: sender)) }

    private func report(_ text: String, _ kind: LogSource.Kind, isLoggedOnce: Bool = false) {
        let text = LogText.line(text)
        if !isLoggedOnce || complaints.isNew(text) {
            onLog(text, LogSource(kind, client: sender))
        }
        // First, so that a client has it when it learns of the notice.
        publish(tree.index(EngineParameter.noticeTime), .text(noticeTime.now()))
        change(tree.index(EngineParameter.notice), .text(text), except: nil)
    }

    /// Runs `body`; lines that it logs are about a message of this client.
    public func attributing<Result>(to client: NetworkAddress?, _ body: () throws -> Result) rethrows -> Result {
        let before = sender
        sender = client
        defer { sender = before }
        return try body()
    }

    /// Reports a value that was out of range, and the one that was set instead.
    @discardableResult
    public func noticeClamped(_ address: String, _ asked: [Float], into range: ClosedRange<Float>, _ taken: [Float]) -> String {
        let words = { (numbers: [Float]) in numbers.map(Self.short).joined(separator: " ") }
        let text =
            "\(address): \(words(asked)) is outside "
            + "\(Self.short(range.lowerBound)) to \(Self.short(range.upperBound)); \(words(taken)) was set"
        report(text, .clamped)
        return text
    }

    private static func short(_ number: Float) -> String {
        number == number.rounded() && abs(number) < 1e6 ? "\(Int(clamping: number))" : "\(number)"
    }

    /// Returns the error text for an unknown path, with the nearest existing address.
    public func suggest(_ path: String) -> String { suggestions.text(for: path, in: tree) }

    /// Counts and reports a message to an unknown address.
    func countUnknown(_ address: String) -> Reply {
        counters.unknown += 1
        publish(tree.index(EngineParameter.unknown), .number(Float(counters.unknown)))
        let text = suggest(address)
        complain(text, .unknown)
        return .unknown(text)
    }

    /// Counts messages to unknown addresses that were dropped unread because too many came.
    public func countUnknown(more: Int) {
        counters.unknown += more
        publish(tree.index(EngineParameter.unknown), .number(Float(counters.unknown)))
        complain("messages to unknown addresses come faster than they are read; those left unread are counted", .unknown)
    }

    /// Counts and reports a packet that could not be parsed.
    public func countMalformed(_ reason: String) {
        counters.malformed += 1
        publish(tree.index(EngineParameter.malformed), .number(Float(counters.malformed)))
        complain(reason, .malformed)
    }
}
