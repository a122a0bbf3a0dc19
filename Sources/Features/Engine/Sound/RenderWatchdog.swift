/// Whether blocks are still being rendered.
package final class RenderWatchdog {
    private var blocks: Int64 = 0
    private var changed: UInt64 = 0
    private var now: UInt64 = 0

    package init() {}

    /// - Parameters:
    ///   - count: blocks rendered so far.
    ///   - now: CLOCK_MONOTONIC nanoseconds.
    package func note(_ count: Int64, now: UInt64) {
        self.now = now
        guard count != blocks || changed == 0 else { return }
        blocks = count
        changed = now
    }

    /// False when no block was rendered for a second.
    package var isAlive: Bool { now - changed < 1_000_000_000 }
}
