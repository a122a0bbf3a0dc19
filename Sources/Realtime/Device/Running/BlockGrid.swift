/// Start times of blocks on a clock without drift: computed from the block's number each time, never accumulated.
struct BlockGrid: Equatable, Sendable {
    /// Time of the first frame, CLOCK_MONOTONIC nanoseconds.
    let start: UInt64
    let rate: UInt64
    let period: UInt64

    init(start: UInt64, format: DeviceFormat) {
        self.start = start
        rate = UInt64(format.rate)
        period = UInt64(format.period)
    }

    /// Returns the time of a frame in nanoseconds, rounded down. Whole seconds are computed separately: the product
    /// would overflow after a day.
    func time(ofFrame frame: UInt64) -> UInt64 {
        start + frame / rate * 1_000_000_000 + frame % rate * 1_000_000_000 / rate
    }

    func begin(of block: UInt64) -> UInt64 { time(ofFrame: block * period) }

    /// Returns the number of the block that contains `time`; 0 before the start.
    func block(at time: UInt64) -> UInt64 {
        guard time > start else { return 0 }
        let passed = time - start
        let frame = passed / 1_000_000_000 * rate + passed % 1_000_000_000 * rate / 1_000_000_000
        // `begin` is rounded down, so the last nanosecond before the exact time belongs to the next block.
        return begin(of: frame / period + 1) <= time ? frame / period + 1 : frame / period
    }
}
