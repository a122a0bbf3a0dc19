internal import CRealtime
internal import Files
internal import Glibc

/// The kernel's account of the calling thread (`schedstat`): for how long it computed, and for how long it could have run but the
/// machine ran others.
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
