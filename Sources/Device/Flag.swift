internal import CRealtime
internal import Synchronization

/// A yes or no that one thread sets and another asks for.
final class Flag: Sendable {
    private let value = Atomic(false)

    var isRaised: Bool { value.load(ordering: .acquiring) }

    /// Returns false when it was raised already.
    @discardableResult
    func raise() -> Bool { !value.exchange(true, ordering: .acquiringAndReleasing) }

    /// Returns false when it was not raised.
    @discardableResult
    func lower() -> Bool { value.exchange(false, ordering: .acquiringAndReleasing) }

    /// Waits until the flag is raised, not for the audio thread: it looks every half millisecond.
    ///
    /// - Parameter nanoseconds: how long at most; nil is without end.
    /// - Returns: false when that time was not enough.
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
