import Crossing
import Render
import RenderInterface

/// The motion of the latest seconds, and the last step of every head and object before them. Used on the takes thread alone.
struct TakeMotionLog: ~Copyable {
    /// The heads of one renderer.
    private final class Heads {
        private var ring: Ring<TakeHead>.Consumer

        init(_ ring: consuming Ring<TakeHead>.Consumer) { self.ring = ring }

        func pop() -> TakeHead? { ring.pop() }
    }

    private let heads: [Heads]
    private let losses: [CountRow]
    private var objects: Ring<TakeObject>.Consumer
    private(set) var recentHeads = TakeSteps<TakeHead>(of: { Int($0.listener) }, at: { $0.step.position })
    private(set) var recentObjects = TakeSteps<TakeObject>(of: { Int($0.object) }, at: { $0.sample })

    init(_ lines: TakeConnections) {
        heads = ([lines.heads] + lines.workers.map(\.heads)).map { Heads($0.take()) }
        objects = lines.objects.take()
        losses = [lines.lostMotion] + lines.workers.map(\.lostMotion)
    }

    /// Steps dropped for lack of room, since the start.
    var lost: Int { losses.reduce(0) { $0 + $1[0] } }

    /// Takes what the renderer has sent.
    mutating func collect() {
        for ring in heads { while let head = ring.pop() { recentHeads.add(head) } }
        while let object = objects.pop() { recentObjects.add(object) }
    }

    /// Removes and returns the remaining steps.
    mutating func takeHeads() -> [TakeHead] { recentHeads.takeRecent() }

    mutating func takeObjects() -> [TakeObject] { recentObjects.takeRecent() }

    /// Drops the remaining steps, which have been used.
    mutating func leaveOut() {
        _ = takeHeads()
        _ = takeObjects()
    }

    /// Forgets the steps before a sample, except the last one of each.
    mutating func trim(before sample: Int64) {
        recentHeads.trim(before: sample)
        recentObjects.trim(before: sample)
    }
}

/// Steps of several moving things in the order of time: the recent ones, and the last one of each before them.
struct TakeSteps<Step> {
    /// Maximum number of steps that are kept; beyond that, the oldest are dropped.
    private static var most: Int { 4_000_000 }
    private(set) var recent: ArraySlice<Step> = []
    private var former: [Int: Step] = [:]
    private let of: (Step) -> Int
    private let at: (Step) -> Int64

    /// - Parameters:
    ///   - of: returns the number of the thing to which a step belongs.
    ///   - at: returns the sample from which a step applies.
    init(of: @escaping (Step) -> Int, at: @escaping (Step) -> Int64) { (self.of, self.at) = (of, at) }

    mutating func add(_ step: Step) {
        recent.append(step)
        if recent.count > Self.most { forget() }
    }

    private mutating func forget() { if let first = recent.popFirst() { former[of(first)] = first } }

    mutating func trim(before sample: Int64) {
        while let first = recent.first, at(first) < sample { forget() }
        // A slice keeps the memory of elements that were removed.
        if recent.startIndex > recent.count + 1024 { recent = ArraySlice(Array(recent)) }
    }

    /// The steps that apply at a sample, then those after it.
    func all(from sample: Int64) -> [Step] {
        var present = former
        var later: [Step] = []
        for step in recent { if at(step) <= sample { present[of(step)] = step } else { later.append(step) } }
        return present.sorted { $0.key < $1.key }.map(\.value) + later
    }

    /// Takes out the recent steps.
    mutating func takeRecent() -> [Step] {
        defer { while !recent.isEmpty { forget() } }
        return Array(recent)
    }
}
