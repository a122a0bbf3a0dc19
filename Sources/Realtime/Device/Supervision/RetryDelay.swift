/// Waits between tries to open a device, in nanoseconds: short at first, then longer.
struct RetryDelay: Equatable, Sendable {
    private var next: UInt64
    private let longest: UInt64

    /// For a device that was lost: 100 ms, doubled up to a second, so that it plays again soon after its return.
    static let lost = RetryDelay(first: 100_000_000, longest: 1_000_000_000)
    /// For a better device than the one that plays: a second, doubled up to five.
    static let better = RetryDelay(first: 1_000_000_000, longest: 5_000_000_000)

    init(first: UInt64, longest: UInt64) {
        next = first
        self.longest = longest
    }

    mutating func take() -> UInt64 {
        defer { next = min(2 * next, longest) }
        return next
    }
}
