internal import CRealtime
internal import Files
internal import Glibc

/// Longest turns of the control thread: from the end of a wait for events until the next wait begins.
///
/// A turn lasts as long as the thread computes, or waits for a file, a lock or another thread. Time in which it could have run while the
/// machine ran other threads does not count.
public final class TurnWatch {
    /// Seconds that ``recent(now:)`` looks back.
    public static let span = 10
    /// Shortest turn, in nanoseconds, for which the delay by other threads is read.
    private static let short: UInt64 = 1_000_000

    private lazy var account = ThreadAccount()
    private var begin: UInt64 = 0
    private var before = ThreadAccount.Reading()
    /// The longest turn of each of the last seconds, and which second that is.
    private var seconds = [(second: UInt64, longest: UInt64)](repeating: (0, 0), count: TurnWatch.span)
    /// Nanoseconds of the longest turn since the start.
    public private(set) var longest: UInt64 = 0
    /// Nanoseconds of ``longest`` in which the thread computed; in the rest it waited.
    public private(set) var computed: UInt64 = 0

    public init() {}

    /// The longest turn of the last ten seconds, nanoseconds.
    /// - Parameter now: CLOCK_MONOTONIC nanoseconds.
    public func recent(now: UInt64) -> UInt64 {
        let second = now / 1_000_000_000
        return seconds.reduce(0) { $1.second + UInt64(Self.span) > second ? max($0, $1.longest) : $0 }
    }

    /// Forgets every turn so far, the present one included: those of a start, during which nobody waits yet.
    public func forget() {
        (longest, computed, begin) = (0, 0, 0)
        seconds = [(second: UInt64, longest: UInt64)](repeating: (0, 0), count: Self.span)
    }

    func beginTurn() {
        begin = rt_now()
        before = account.current(now: begin)
    }

    func endTurn() {
        guard begin != 0 else { return }
        let now = rt_now()
        let wall = now &- begin
        begin = 0
        guard wall >= Self.short else { return note(wall, now: now) }
        // The reading before is at most a millisecond older than the turn.
        let after = account.latest()
        note(wall - min(wall, after.delayed &- before.delayed), computed: after.computed &- before.computed, now: now)
    }

    /// - Parameters:
    ///   - duration: of a turn, nanoseconds.
    ///   - computed: the part of it in which the thread computed, nanoseconds; nil for all of it.
    ///   - now: its end, CLOCK_MONOTONIC nanoseconds.
    func note(_ duration: UInt64, computed: UInt64? = nil, now: UInt64) {
        if duration > longest { (longest, self.computed) = (duration, min(duration, computed ?? duration)) }
        let second = now / 1_000_000_000
        let place = Int(second % UInt64(Self.span))
        if seconds[place].second != second { seconds[place] = (second, 0) }
        seconds[place].longest = max(seconds[place].longest, duration)
    }
}

/// The kernel's account of the calling thread (`schedstat`): for how long it computed, and for how long it could have run while the machine
/// ran other threads.
///
/// Reading takes some microseconds, so that ``current(now:)`` reads at most once a millisecond.
final class ThreadAccount {
    /// Nanoseconds since the thread's start; zeros where the kernel keeps no account.
    struct Reading {
        var computed: UInt64 = 0
        var delayed: UInt64 = 0
    }

    private static let interval: UInt64 = 1_000_000
    /// Nil where the kernel keeps no account.
    private let account: RegularFile?
    private var read: UInt64 = 0
    private var value = Reading()

    /// Call on the thread to be watched.
    init() { account = try? RegularFile("/proc/thread-self/schedstat") }

    /// A reading that is at most a millisecond old.
    /// - Parameter now: CLOCK_MONOTONIC nanoseconds.
    func current(now: UInt64) -> Reading {
        if now &- read > Self.interval {
            read = now
            value = latest()
        }
        return value
    }

    func latest() -> Reading {
        guard let account else { return Reading() }
        return withUnsafeTemporaryAllocation(byteCount: 96, alignment: 1) { memory in
            let count = pread(account.descriptor, memory.baseAddress, memory.count, 0)
            guard count > 0 else { return Reading() }
            let fields = memory[..<count].split(separator: UInt8(ascii: " ")).map { UInt64(String(decoding: $0, as: UTF8.self)) ?? 0 }
            return fields.count > 1 ? Reading(computed: fields[0], delayed: fields[1]) : Reading()
        }
    }
}
