internal import CRealtime
internal import Files
internal import Glibc

/// Time for which the calling thread could have run but the machine ran others, by the kernel's account (`schedstat`).
///
/// Reading takes some microseconds, so that ``current(now:)`` reads at most once a millisecond.
final class QueueDelay {
    private static let interval: UInt64 = 1_000_000
    /// Nil where the kernel keeps no account.
    private let account: RegularFile?
    private var read: UInt64 = 0
    private var value: UInt64 = 0

    /// Call on the thread to be watched.
    init() { account = try? RegularFile("/proc/thread-self/schedstat") }

    /// Nanoseconds since the thread's start, at most a millisecond old.
    /// - Parameter now: CLOCK_MONOTONIC nanoseconds.
    func current(now: UInt64) -> UInt64 {
        if now &- read > Self.interval {
            read = now
            value = latest()
        }
        return value
    }

    /// Nanoseconds since the thread's start; 0 where the kernel keeps no account.
    func latest() -> UInt64 {
        guard let account else { return 0 }
        return withUnsafeTemporaryAllocation(byteCount: 96, alignment: 1) { memory in
            let count = pread(account.descriptor, memory.baseAddress, memory.count, 0)
            guard count > 0 else { return 0 }
            let fields = memory[..<count].split(separator: UInt8(ascii: " "))
            return fields.count > 1 ? UInt64(String(decoding: fields[1], as: UTF8.self)) ?? 0 : 0
        }
    }
}
