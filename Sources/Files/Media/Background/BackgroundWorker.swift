internal import CRealtime
internal import Dispatch
internal import Glibc
internal import Synchronization
internal import Threads

/// A background thread of low priority that carries out requests, one after the other. It starts with the first one.
///
/// A newer request for the same key replaces the older one, which is abandoned.
public final class BackgroundWorker<Key: Hashable & Sendable, Request: Equatable & Sendable, Product: Sendable>: Sendable {
    /// State of a request.
    public enum Outcome: Sendable {
        /// The share that is done, 0 to 1.
        case progress(Double)
        case done(Product)
        case refused(MediaError)
    }

    public struct Report: Sendable {
        public let key: Key
        public let request: Request
        public let outcome: Outcome
    }

    /// Makes the product of a request. `progress` takes the completed share and returns whether to continue; the result is nil if it
    /// returned false.
    public typealias Work =
        @Sendable (_ request: Request, _ progress: @escaping @Sendable (Double) -> Bool) throws(MediaError) -> Product?

    private struct State {
        /// Requests that have not begun, the oldest first.
        var waiting: [(key: Key, request: Request)] = []
        var present: (key: Key, request: Request)?
        var isGivenUp = false
        var hasThread = false
        var isEnding = false
        var reports: [Report] = []
    }

    private let state = Mutex(State())
    private let wake = DispatchSemaphore(value: 0)
    private let done = DispatchSemaphore(value: 0)
    private let work: Work
    private let name: String
    private let limit: Double
    /// Niceness of the thread.
    private static var niceness: Int32 { 10 }

    /// - Parameters:
    ///   - name: name of the thread, at most 15 bytes.
    ///   - limit: longest time of a request's work in seconds.
    public init(name: String, limit: Double = 300, work: @escaping Work) {
        (self.name, self.limit, self.work) = (name, limit, work)
    }

    /// Accepts a request; nil cancels the key's last one. It is refused where the system does not allow the thread.
    public func request(_ request: Request?, for key: Key) {
        let starts = state.withLock { state in
            state.waiting.removeAll { $0.key == key }
            state.reports.removeAll { $0.key == key }
            if let present = state.present, present.key == key {
                if present.request == request, !state.isGivenUp { return false }
                state.isGivenUp = true
            }
            if let request { state.waiting.append((key, request)) }
            guard !state.hasThread, !state.isEnding, !state.waiting.isEmpty else { return false }
            state.hasThread = true
            return true
        }
        if starts { start() }
        wake.signal()
    }

    private func start() {
        do throws(ThreadError) {
            _ = try ProgramThread(name) { [self] in
                // On Linux this sets the niceness of the calling thread alone.
                setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, Self.niceness)
                run()
                done.signal()
            }
        } catch {
            state.withLock { state in
                state.reports += state.waiting.map {
                    Report(key: $0.key, request: $0.request, outcome: .refused(MediaError(error.sentence)))
                }
                (state.waiting, state.hasThread) = ([], false)
            }
        }
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
        let hasThread = state.withLock {
            $0.isEnding = true
            $0.isGivenUp = true
            return $0.hasThread
        }
        guard hasThread else { return }
        wake.signal()
        if done.wait(timeout: .now() + .milliseconds(200)) == .success { done.signal() }
    }

    private func run() {
        while true {
            wake.wait()
            while let (key, request) = next() {
                let outcome = outcome(key, request)
                state.withLock { state in
                    state.present = nil
                    guard let outcome, !state.isGivenUp else { return }
                    state.reports.removeAll { $0.key == key }
                    state.reports.append(Report(key: key, request: request, outcome: outcome))
                }
            }
            if state.withLock({ $0.isEnding }) { return }
        }
    }

    private func next() -> (key: Key, request: Request)? {
        state.withLock { state in
            guard !state.isEnding, !state.waiting.isEmpty else { return nil }
            state.present = state.waiting.removeFirst()
            state.isGivenUp = false
            return state.present
        }
    }

    /// Nil when the request was given up.
    private func outcome(_ key: Key, _ request: Request) -> Outcome? {
        let end = rt_now() + UInt64(clamping: limit * 1e9)
        do throws(MediaError) {
            let product = try work(request) { [self] share in
                state.withLock { state in
                    guard !state.isGivenUp, rt_now() < end else { return false }
                    state.reports.removeAll { $0.key == key }
                    state.reports.append(Report(key: key, request: request, outcome: .progress(share)))
                    return true
                }
            }
            if product == nil, rt_now() >= end {
                return .refused(MediaError("The computation did not finish within \(Int(clamping: limit)) s. Use a shorter file."))
            }
            return product.map { .done($0) }
        } catch { return .refused(error) }
    }
}
