import Binaural
import Crossing
import Foundation
import Media
import Synchronization

/// Works out the filters of the method `personal`, one order after the other, on a thread of its own that gives way to
/// everything else.
///
/// A listener's newer order takes the place of its older one, which is given up.
final class PersonalWorkshop: Sendable {
    /// What has become of an order.
    enum Outcome: Sendable {
        case progress(Double)
        case done(PersonalFilters)
        case refused(MediaError)
    }

    struct Report: Sendable {
        let listener: Int
        let order: PersonalOrder
        let outcome: Outcome
    }

    private struct State {
        /// Not begun, the oldest first.
        var waiting: [(listener: Int, order: PersonalOrder)] = []
        var present: (listener: Int, order: PersonalOrder)?
        var isGivenUp = false
        var isEnding = false
        var reports: [Report] = []
    }

    private let state = Mutex(State())
    private let wake = DispatchSemaphore(value: 0)
    private let done = DispatchSemaphore(value: 0)
    private let cache: FilterCache?
    /// Of the thread, as `nice` counts.
    private static let niceness: Int32 = 10

    /// - Parameter cache: where filters are looked for and kept.
    init(cache: FilterCache?) {
        self.cache = cache
        let thread = Thread { [self] in
            // On Linux this is the calling thread's alone.
            setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, Self.niceness)
            work()
            done.signal()
        }
        thread.name = "filters"
        thread.start()
    }

    /// Takes an order; nil takes back what this listener had ordered.
    func order(_ order: PersonalOrder?, for listener: Int) {
        state.withLock { state in
            state.waiting.removeAll { $0.listener == listener }
            state.reports.removeAll { $0.listener == listener }
            if let present = state.present, present.listener == listener {
                if present.order == order, !state.isGivenUp { return }
                state.isGivenUp = true
            }
            if let order { state.waiting.append((listener, order)) }
        }
        wake.signal()
    }

    /// What has happened since the last call, oldest first.
    func take() -> [Report] {
        state.withLock { state in
            defer { state.reports = [] }
            return state.reports
        }
    }

    /// Ends the thread and waits for it.
    func stop() {
        state.withLock {
            $0.isEnding = true
            $0.isGivenUp = true
        }
        wake.signal()
        done.wait()
        done.signal()
    }

    private func work() {
        while true {
            wake.wait()
            while let (listener, order) = next() {
                let outcome = outcome(listener, order)
                state.withLock { state in
                    state.present = nil
                    guard let outcome, !state.isGivenUp else { return }
                    state.reports.removeAll { $0.listener == listener }
                    state.reports.append(Report(listener: listener, order: order, outcome: outcome))
                }
            }
            if state.withLock({ $0.isEnding }) { return }
        }
    }

    private func next() -> (listener: Int, order: PersonalOrder)? {
        state.withLock { state in
            guard !state.isEnding, !state.waiting.isEmpty else { return nil }
            state.present = state.waiting.removeFirst()
            state.isGivenUp = false
            return state.present
        }
    }

    /// Nil when the order was given up.
    private func outcome(_ listener: Int, _ order: PersonalOrder) -> Outcome? {
        do {
            let filters = try PersonalFilters(order, cache: cache) { [self] share in
                state.withLock { state in
                    guard !state.isGivenUp else { return false }
                    state.reports.removeAll { $0.listener == listener }
                    state.reports.append(Report(listener: listener, order: order, outcome: .progress(share)))
                    return true
                }
            }
            return filters.map { .done($0) }
        } catch { return .refused(error) }
    }
}
