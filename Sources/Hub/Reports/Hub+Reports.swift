internal import Parameters

/// Warnings and errors: logged, and published as the notice that every client can read.
extension Hub {
    /// Logs and publishes a warning or an error.
    public func notice(_ text: String) {
        log(text)
        change(tree.index(EngineParameter.notice), .text(text), except: nil)
    }

    /// As ``notice(_:)``, but logs the same text only once.
    func complain(_ text: String) {
        if complaints.isNew(text) { log(text) }
        change(tree.index(EngineParameter.notice), .text(text), except: nil)
    }

    /// Reports a value that was out of range, and the one that was set instead.
    @discardableResult
    public func noticeClamped(_ address: String, _ asked: [Float], into range: ClosedRange<Float>, _ taken: [Float]) -> String {
        let words = { (numbers: [Float]) in numbers.map(Self.short).joined(separator: " ") }
        let text =
            "\(address): \(words(asked)) is outside "
            + "\(Self.short(range.lowerBound)) to \(Self.short(range.upperBound)); \(words(taken)) was set"
        notice(text)
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
        complain(text)
        return .unknown(text)
    }

    /// Counts and reports a packet that could not be parsed.
    public func countMalformed(_ reason: String) {
        counters.malformed += 1
        publish(tree.index(EngineParameter.malformed), .number(Float(counters.malformed)))
        complain(reason)
    }
}
