internal import Parameters

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
