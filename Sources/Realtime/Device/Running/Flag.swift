internal import CRealtime
internal import Synchronization

/// A flag that one thread sets and another reads.
final class Flag: Sendable {
    private let value = Atomic(false)

    var isRaised: Bool { value.load(ordering: .acquiring) }

    /// Raises the flag; returns false when it was already raised.
    @discardableResult
    func raise() -> Bool { !value.exchange(true, ordering: .acquiringAndReleasing) }

    /// Lowers the flag; returns false when it was not raised.
    @discardableResult
    func lower() -> Bool { value.exchange(false, ordering: .acquiringAndReleasing) }

    /// Waits until the flag is raised, polling every half millisecond. Not for the audio thread.
    ///
    /// - Parameter nanoseconds: longest wait; nil for no limit.
    /// - Returns: false on timeout.
    func wait(within nanoseconds: UInt64? = nil) -> Bool {
        let begin = rt_now()
        while !isRaised {
            let now = rt_now()
            if let nanoseconds, now - begin > nanoseconds { return false }
            realtime_sleep_until(now + 500_000)
        }
        return true
    }
}
