public import Binaural
internal import CRealtime
internal import Dispatch
internal import Foundation
internal import Synchronization

/// The filters of one ``PersonalOrder``, worked out or found again.
public struct PersonalFilters: Sendable {
    public let order: PersonalOrder
    /// The file they lead to.
    public let path: String
    public let bank: FilterBank
    /// Whether they were kept from an earlier time.
    public let wereKept: Bool
    /// Of the head in the file, as its ears' phases say, metres; 0 when the filters were kept.
    public let measuredRadius: Double
    /// Why they could not be kept for the next time; nil when they are.
    public let notKept: MediaError?

    /// Takes a second and more, unless the filters are in the cache.
    ///
    /// - Parameters:
    ///   - cache: where filters are looked for and kept; nil for nowhere.
    ///   - workers: threads that work at once.
    ///   - progress: told the share that is done, 0 to 1, on any thread, never twice at once; says whether to go on.
    /// - Returns: nil when told not to go on.
    /// - Throws: ``MediaError`` with the reason why the file cannot be used, or the head not be that large.
    public init?(
        _ order: PersonalOrder, cache: FilterCache?, workers: Int = 1,
        progress: @escaping @Sendable (Double) -> Bool = { _ in true }
    ) throws(MediaError) {
        try PersonalOrder.check(headRadius: order.headRadius)
        let file = try SofaFile(path: order.path)
        let key = order.key(file.hash)
        let frame = PersonalFrame(rate: Float(order.rate))
        (self.order, path) = (order, file.path)
        if let sets = cache?.read(key, sets: order.layout.sets, length: 2 * order.layout.channels.count * frame.taps) {
            bank = FilterBank(order.layout, frame, sets: sets)
            (wereKept, measuredRadius, notKept) = (true, 0, nil)
            return
        }
        guard progress(0) else { return nil }
        let design = PersonalDesign(
            file.responses, order.layout, rate: order.rate, headRadius: Double(order.headRadius))
        guard let sets = Self.sets(design, workers: workers, progress: progress) else { return nil }
        bank = FilterBank(order.layout, frame, sets: sets)
        (wereKept, measuredRadius) = (false, design.measuredRadius)
        do {
            try cache?.write(key, sets: sets)
            notKept = nil
        } catch {
            notKept = error
        }
    }

    private static func sets(
        _ design: PersonalDesign, workers: Int, progress: @escaping @Sendable (Double) -> Bool
    ) -> [[Float]]? {
        struct State {
            var next = 0
            var done = 0
            var goesOn = true
            var sets: [[Float]]
        }
        let count = design.layout.sets
        let state = Mutex(State(sets: .init(repeating: [], count: count)))
        DispatchQueue.concurrentPerform(iterations: max(1, workers)) { _ in
            while true {
                let turn = state.withLock { state -> Int? in
                    guard state.goesOn, state.next < count else { return nil }
                    state.next += 1
                    return state.next - 1
                }
                guard let turn else { return }
                let taps = design.taps(set: turn)
                state.withLock {
                    $0.sets[turn] = taps
                    $0.done += 1
                    if $0.goesOn { $0.goesOn = progress(Double($0.done) / Double(count)) }
                }
            }
        }
        return state.withLock { $0.done == count ? $0.sets : nil }
    }
}
