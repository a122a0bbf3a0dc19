internal import Hub

/// Decides which refusals are logged: the first of each subject, and again after an hour. A program that keeps sending what is refused
/// would fill the log otherwise. Subjects beyond the bound wait until older ones expire.
struct RefusalLog {
    /// Nanoseconds after which a subject expires.
    private static let period: UInt64 = 3_600_000_000_000
    private static let most = 64
    /// Time at which each subject was logged, CLOCK_MONOTONIC nanoseconds.
    private var told: [String: UInt64] = [:]

    /// - Parameter now: CLOCK_MONOTONIC nanoseconds.
    /// - Returns: whether a refusal is to be logged; it counts as logged then.
    mutating func admits(_ subject: String, now: UInt64) -> Bool {
        if told[subject] == nil, told.count >= Self.most { told = told.filter { now < $0.value + Self.period } }
        guard told[subject].map({ now >= $0 + Self.period }) ?? (told.count < Self.most) else { return false }
        told[subject] = now
        return true
    }
}
