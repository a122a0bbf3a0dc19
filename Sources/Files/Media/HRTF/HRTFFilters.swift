public import Binaural
internal import Synchronization
internal import Threads

/// Filters for one ``HRTFRequest``, designed or read from the cache.
public struct HRTFFilters: Sendable {
    public let order: HRTFRequest
    /// Path of the SOFA file the filters were designed from.
    public let path: String
    public let bank: FilterBank
    /// True for filters read from the cache.
    public let wereKept: Bool
    /// Radius in metres of the measured head, from the phases of its ears; 0 for filters read from the cache.
    public let measuredRadius: Double
    /// The reason why the filters could not be written to the cache; nil if they were.
    public let notKept: MediaError?

    /// Computes the filters, which takes a second or more, or reads them from the cache.
    ///
    /// - Parameters:
    ///   - cache: cache to read from and write to; nil for none.
    ///   - workers: number of concurrent threads.
    ///   - progress: called with the completed share, 0 to 1, on any thread but never concurrently; returns whether to continue.
    /// - Returns: nil if `progress` stopped the work.
    /// - Throws: ``MediaError`` when the file cannot be used or the head radius is out of range.
    public init?(
        _ order: HRTFRequest, cache: FilterCache?, workers: Int = 1,
        progress: @escaping @Sendable (Double) -> Bool = { _ in true }
    ) throws(MediaError) {
        try HRTFRequest.check(headRadius: order.headRadius)
        let file = try SofaFile(path: order.path)
        let key = order.key(file.hash)
        let frame = HRTFFrame(rate: Float(order.rate))
        (self.order, path) = (order, file.path)
        if let sets = cache?.read(key, sets: order.layout.sets, length: 2 * order.layout.channels.count * frame.taps) {
            bank = FilterBank(order.layout, frame, sets: sets)
            (wereKept, measuredRadius, notKept) = (true, 0, nil)
            return
        }
        guard progress(0) else { return nil }
        let design = HRTFDesign(
            file.responses, order.layout, rate: order.rate, headRadius: Double(order.headRadius),
            equalisation: order.equalisation)
        guard let sets = FilterDesigning(design, progress: progress).run(workers: workers) else { return nil }
        bank = FilterBank(order.layout, frame, sets: sets)
        (wereKept, measuredRadius) = (false, design.measuredRadius)
        do {
            try cache?.write(key, sets: sets)
            notKept = nil
        } catch {
            notKept = error
        }
    }
}

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

/// A table for sound objects that was designed from a SOFA file.
public struct HRTFTableFile: Sendable {
    /// Path of the SOFA file.
    public let path: String
    public let table: HRTFTable
    /// Radius in metres of the measured head, from the phases of its ears.
    public let measuredRadius: Double

    /// Designs the table, which takes a few seconds.
    ///
    /// - Parameter progress: receives the completed share, 0 to 1, and returns whether to continue.
    /// - Returns: nil if `progress` stopped the work.
    /// - Throws: ``MediaError`` when the file cannot be used or the head radius is out of range.
    public init?(_ order: HRTFTableRequest, progress: (Double) -> Bool = { _ in true }) throws(MediaError) {
        try HRTFRequest.check(headRadius: order.headRadius)
        let file = try SofaFile(path: order.path)
        guard progress(0) else { return nil }
        let design = HRTFTableDesign(
            file.responses, rate: order.rate, headRadius: Double(order.headRadius), equalisation: order.equalisation)
        guard let table = design.table(progress: progress) else { return nil }
        (self.table, path, measuredRadius) = (table, file.path, design.measuredRadius)
    }
}
