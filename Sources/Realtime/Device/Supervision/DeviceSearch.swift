internal import CRealtime
internal import Synchronization

/// Tries to open one of several devices, on its own thread, because a sound server that hangs blocks its callers.
final class DeviceSearch: Sendable {
    /// A device that was opened.
    struct Found: Sendable {
        let device: any AudioDevice
        let specification: DeviceSpecification
    }

    private let found = Mutex<Found?>(nil)
    private let latest = Mutex<DeviceError?>(nil)
    /// The device that is being opened, and since when, CLOCK_MONOTONIC nanoseconds.
    private let trying = Mutex<(device: DeviceSpecification, since: UInt64)?>(nil)
    private let cancelled = Flag()
    private let ended = Flag()

    /// Starts the search. It ends when a device is open or when ``cancel()`` is called.
    ///
    /// - Parameters:
    ///   - candidates: devices, the best first.
    ///   - isSingle: whether it ends after one try of each.
    ///   - wait: nanoseconds before the first try.
    ///   - delay: the waits between tries.
    ///   - retirements: devices that are being closed, which are not tried until they are closed.
    ///   - former: abandoned searches; devices that they are still opening are skipped.
    init(
        _ candidates: [DeviceSpecification], isSingle: Bool = false, wait: UInt64 = 0, delay: RetryDelay,
        behind retirements: [(device: DeviceSpecification, retirement: Retirement)], beside former: [DeviceSearch],
        opener: @escaping DeviceOpener
    ) {
        do {
            let thread = try RealtimeThread(name: "device search", raised: false) { [self] in
                var (next, delay) = (wait, delay)
                repeat {
                    sleep(next)
                    next = delay.take()
                    let free = candidates.filter { one in
                        retirements.allSatisfy { $0.device != one || $0.retirement.isDone } && former.allSatisfy { $0.opening != one }
                    }
                    if tryAll(free, opener) || isSingle && !free.isEmpty { break }
                } while !cancelled.isRaised
                ended.raise()
            }
            _ = thread.join(within: 0)
        } catch {
            latest.withLock { $0 = error }
            ended.raise()
        }
    }

    /// Whether the search has ended, with or without a device.
    var hasEnded: Bool { ended.isRaised }

    /// Reason why the best device cannot be opened.
    var problem: DeviceError? { latest.withLock { $0 } }

    /// The device that is being opened.
    var opening: DeviceSpecification? { trying.withLock { $0?.device } }

    /// The device whose opening has taken longer than a number of nanoseconds.
    func stuck(for longest: UInt64, now: UInt64) -> DeviceSpecification? {
        trying.withLock { trying in
            guard let trying, now > trying.since + longest else { return nil }
            return trying.device
        }
    }

    /// The device that was found, once.
    func take() -> Found? { found.withLock { $0.take() } }

    /// Ends the search. A device that was found is closed.
    func cancel() {
        cancelled.raise()
        if let found = take() { _ = Retirement(found.device) }
    }

    /// - Returns: whether a device is open.
    private func tryAll(_ candidates: [DeviceSpecification], _ opener: DeviceOpener) -> Bool {
        var problem: DeviceError?
        for candidate in candidates where !cancelled.isRaised {
            trying.withLock { $0 = (candidate, rt_now()) }
            defer { trying.withLock { $0 = nil } }
            do throws(DeviceError) {
                let device = try opener(candidate)
                found.withLock { $0 = Found(device: device, specification: candidate) }
                if cancelled.isRaised { _ = take() }
                return true
            } catch {
                problem = problem ?? error
            }
        }
        if let problem { latest.withLock { $0 = problem } }
        return false
    }

    private func sleep(_ nanoseconds: UInt64) {
        let end = rt_now() + nanoseconds
        while rt_now() < end, !cancelled.isRaised { realtime_sleep_until(min(end, rt_now() + 20_000_000)) }
    }
}

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
