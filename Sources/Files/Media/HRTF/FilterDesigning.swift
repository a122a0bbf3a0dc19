internal import Binaural
internal import Synchronization
internal import Threads

/// The design of all filters of a request, on several threads: each takes the next set that has not been begun.
final class FilterDesigning: Sendable {
    private struct State {
        var next = 0
        var done = 0
        var isContinuing = true
        var sets: [[Float]]
    }

    private let design: HRTFDesign
    private let progress: @Sendable (Double) -> Bool
    private let state: Mutex<State>

    /// - Parameter progress: as in ``HRTFFilters``.
    init(_ design: HRTFDesign, progress: @escaping @Sendable (Double) -> Bool) {
        (self.design, self.progress) = (design, progress)
        state = Mutex(State(sets: .init(repeating: [], count: design.layout.sets)))
    }

    /// - Parameter workers: number of threads.
    /// - Returns: nil if `progress` stopped the work.
    func run(workers: Int) -> [[Float]]? {
        WorkerThreads.run(workers, name: "filters") { [self] in
            while let set = begin() { end(set, design.taps(set: set)) }
        }
        return state.withLock { $0.done == $0.sets.count ? $0.sets : nil }
    }

    /// The next set to design; nil when there is none, or the work was stopped.
    private func begin() -> Int? {
        state.withLock { state in
            guard state.isContinuing, state.next < state.sets.count else { return nil }
            state.next += 1
            return state.next - 1
        }
    }

    private func end(_ set: Int, _ taps: [Float]) {
        state.withLock { state in
            state.sets[set] = taps
            state.done += 1
            if state.isContinuing { state.isContinuing = progress(Double(state.done) / Double(state.sets.count)) }
        }
    }
}
