internal import CRealtime
public import Render

/// A device that renders at the pace of a sound card without having one, and discards the sound.
///
/// For machines whose listeners are all elsewhere. Block k begins k periods after the start and is heard one
/// period later. A block that ends after it should have been heard counts as an xrun; a renderer that is more
/// than eight periods late skips the missed blocks and continues with the clock.
///
/// In place of a device that was lost it begins with the blocks that the device no longer asked for, four in the time of one, so that
/// listeners on the network miss none.
public final class TimerDevice: AudioDevice {
    public let format: DeviceFormat
    /// Nothing is played, so every pair of channels is available.
    public var channels: Int { ChannelPair.mostChannels }
    /// Time at which the first block was due, CLOCK_MONOTONIC nanoseconds; nil for the time of the start.
    private let due: UInt64?
    private let occupied = Flag()

    /// Longest time in nanoseconds that is caught up.
    private static let longest: UInt64 = 1_000_000_000

    public init(_ format: DeviceFormat) { (self.format, due) = (format, nil) }

    /// A timer instead of a device that was lost.
    /// - Parameter due: when the next block was due, CLOCK_MONOTONIC nanoseconds.
    init(_ format: DeviceFormat, since due: UInt64) { (self.format, self.due) = (format, due) }

    public func start<Renderer: BlockRenderer & ~Copyable>(
        in holder: RendererHolder<Renderer>, onEnd: @escaping @Sendable (DeviceError?) -> Void
    ) throws(DeviceError) -> DeviceRun<Renderer> {
        let (format, due) = (format, due)
        return try DeviceRun(
            in: holder, name: "audio timer", live: true, occupied: occupied,
            blocks: { holder, stopping in
                var renderer = LiveRenderer(holder, frames: format.period, rate: format.rate, listeners: 1)
                while due != nil, holder.isEmpty, !stopping.isRaised { realtime_sleep_until(rt_now() + 100_000) }
                let late = due == nil ? 8 : Self.longest / format.blockDuration
                var schedule = TimerSchedule(BlockGrid(start: due ?? rt_now(), format: format), mostLate: late)
                var earliest: UInt64 = 0
                while Self.sleep(until: max(schedule.begin, earliest), unless: stopping) {
                    let now = rt_now()
                    if due != nil { earliest = now + format.blockDuration / 4 }
                    let leftOut = schedule.catchUp(at: now)
                    if leftOut > 0 {
                        renderer.count(xruns: leftOut)
                        continue
                    }
                    renderer.render(
                        frames: format.period, at: BlockTime(begin: now, output: due == nil ? schedule.output : max(schedule.output, now)))
                    let lost = schedule.finish(at: rt_now())
                    if lost > 0 { renderer.count(xruns: lost) }
                }
                return nil
            }, onEnd: onEnd)
    }

    /// Sleeps until a time; returns false when stopped. Sleeps in slices, so that a long period does not delay `stop`.
    private static func sleep(until deadline: UInt64, unless stopping: Flag) -> Bool {
        var now = rt_now()
        while now < deadline && !stopping.isRaised {
            realtime_sleep_until(min(deadline, now + 50_000_000))
            now = rt_now()
        }
        return !stopping.isRaised
    }
}

/// Times of blocks, as for a sound device with two periods: rendered during one, heard from the next on.
struct TimerSchedule: Equatable, Sendable {
    let grid: BlockGrid
    /// Number of the next block to render.
    private(set) var block: UInt64 = 0

    /// Number of late blocks up to which a renderer catches up; when it is later, blocks are skipped.
    let mostLate: UInt64

    init(_ grid: BlockGrid, mostLate: UInt64 = 8) {
        self.grid = grid
        self.mostLate = mostLate
    }

    /// Time at which rendering of the block begins.
    var begin: UInt64 { grid.begin(of: block) }

    /// Time by which the block is rendered, and from which it is heard.
    var output: UInt64 { grid.begin(of: block + 1) }

    /// Skips the blocks missed by a renderer that wakes this late.
    ///
    /// - Returns: number of skipped blocks.
    mutating func catchUp(at now: UInt64) -> Int {
        let current = grid.block(at: now)
        guard current >= block + mostLate else { return 0 }
        let leftOut = current + 1 - block
        block = current + 1
        return Int(leftOut)
    }

    /// Advances to the next block to render.
    ///
    /// - Parameter now: time at which rendering of the current block ended.
    /// - Returns: number of lost blocks: 1 when the current one is late.
    mutating func finish(at now: UInt64) -> Int {
        let late = now > output
        block += 1
        return late ? 1 : 0
    }
}

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
