/// Attempts that become rarer: the wait after each is twice the one before it, up to the longest. Times are CLOCK_MONOTONIC nanoseconds.
struct RetryTimer {
    /// Wait after the first attempt.
    let first: UInt64
    let longest: UInt64
    private var wait: UInt64 = 0
    private var latest: UInt64 = 0

    init(first: UInt64, longest: UInt64) { (self.first, self.longest) = (first, longest) }

    /// Notes an attempt.
    mutating func note(_ now: UInt64) { (wait, latest) = (wait == 0 ? first : min(longest, 2 * wait), now) }

    /// Whether the next attempt is due.
    func isDue(_ now: UInt64) -> Bool { wait == 0 || now >= latest + wait }

    /// Makes the next attempt due at once; the waits start over.
    mutating func hurry() { wait = 0 }
}
