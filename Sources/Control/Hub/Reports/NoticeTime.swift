internal import Foundation

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
