/// Whether blocks are still being rendered.
final class Liveness {
    private var blocks: Int64 = 0
    private var changed: UInt64 = 0
    private var now: UInt64 = 0

    /// - Parameter now: CLOCK_MONOTONIC nanoseconds.
    func note(_ count: Int64, now: UInt64) {
        self.now = now
        guard count != blocks || changed == 0 else { return }
        blocks = count
        changed = now
    }

    /// False when the count has stood still for a second.
    var isAlive: Bool { now - changed < 1_000_000_000 }
}
