internal import CRealtime
internal import Dispatch
internal import Foundation
internal import Glibc
internal import Synchronization

/// A background thread of low priority that carries out orders, one after the other.
///
/// A customer's newer order replaces its older one, which is abandoned.
public final class BackgroundWorker<Customer: Hashable & Sendable, Order: Equatable & Sendable, Product: Sendable>: Sendable {
    /// State of an order.
    public enum Outcome: Sendable {
        /// The share that is done, 0 to 1.
        case progress(Double)
        case done(Product)
        case refused(MediaError)
    }

    public struct Report: Sendable {
        public let customer: Customer
        public let order: Order
        public let outcome: Outcome
    }

    /// Makes the product of an order. `progress` takes the completed share and returns whether to continue; the result is
    /// nil if it said no.
    public typealias Work =
        @Sendable (_ order: Order, _ progress: @escaping @Sendable (Double) -> Bool) throws(MediaError) -> Product?

    private struct State {
        /// Not begun, the oldest first.
        var waiting: [(customer: Customer, order: Order)] = []
        var present: (customer: Customer, order: Order)?
        var isGivenUp = false
        var isEnding = false
        var reports: [Report] = []
    }

    private let state = Mutex(State())
    private let wake = DispatchSemaphore(value: 0)
    private let done = DispatchSemaphore(value: 0)
    private let work: Work
    /// Longest time of an order's work in seconds.
    private static var limit: Double { 300 }
    /// Niceness of the thread.
    private static var niceness: Int32 { 10 }

    /// - Parameter name: name of the thread, at most 15 bytes.
    public init(name: String, work: @escaping Work) {
        self.work = work
        let thread = Thread { [self] in
            realtime_name_thread(name)
            // On Linux this is the calling thread's alone.
            setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, Self.niceness)
            run()
            done.signal()
        }
        thread.start()
    }

    /// Accepts an order; nil cancels the customer's last one.
    public func order(_ order: Order?, for customer: Customer) {
        state.withLock { state in
            state.waiting.removeAll { $0.customer == customer }
            state.reports.removeAll { $0.customer == customer }
            if let present = state.present, present.customer == customer {
                if present.order == order, !state.isGivenUp { return }
                state.isGivenUp = true
            }
            if let order { state.waiting.append((customer, order)) }
        }
        wake.signal()
    }

    /// Returns the reports since the last call, oldest first.
    public func take() -> [Report] {
        state.withLock { state in
            defer { state.reports = [] }
            return state.reports
        }
    }

    /// Ends the thread. Does not wait for work that takes longer than a moment.
    public func stop() {
        state.withLock {
            $0.isEnding = true
            $0.isGivenUp = true
        }
        wake.signal()
        if done.wait(timeout: .now() + .milliseconds(200)) == .success { done.signal() }
    }

    private func run() {
        while true {
            wake.wait()
            while let (customer, order) = next() {
                let outcome = outcome(customer, order)
                state.withLock { state in
                    state.present = nil
                    guard let outcome, !state.isGivenUp else { return }
                    state.reports.removeAll { $0.customer == customer }
                    state.reports.append(Report(customer: customer, order: order, outcome: outcome))
                }
            }
            if state.withLock({ $0.isEnding }) { return }
        }
    }

    private func next() -> (customer: Customer, order: Order)? {
        state.withLock { state in
            guard !state.isEnding, !state.waiting.isEmpty else { return nil }
            state.present = state.waiting.removeFirst()
            state.isGivenUp = false
            return state.present
        }
    }

    /// Nil when the order was given up.
    private func outcome(_ customer: Customer, _ order: Order) -> Outcome? {
        let end = rt_now() + UInt64(clamping: Self.limit * 1e9)
        do throws(MediaError) {
            let product = try work(order) { [self] share in
                state.withLock { state in
                    guard !state.isGivenUp, rt_now() < end else { return false }
                    state.reports.removeAll { $0.customer == customer }
                    state.reports.append(Report(customer: customer, order: order, outcome: .progress(share)))
                    return true
                }
            }
            if product == nil, rt_now() >= end {
                return .refused(MediaError("This was given up after \(Int(clamping: Self.limit)) s. Use a shorter file."))
            }
            return product.map { .done($0) }
        } catch { return .refused(error) }
    }
}
