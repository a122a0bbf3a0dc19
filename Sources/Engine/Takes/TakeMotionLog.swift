import Crossing
import Render
import RenderInterface

/// The motion of the latest seconds, and what every head and object did last before them. Used on the takes thread alone.
struct TakeMotionLog: ~Copyable {
    /// The heads of one renderer.
    private final class Heads {
        private var ring: Ring<TakeHead>.Consumer

        init(_ ring: consuming Ring<TakeHead>.Consumer) { self.ring = ring }

        func pop() -> TakeHead? { ring.pop() }
    }

    private let heads: [Heads]
    private var objects: Ring<TakeObject>.Consumer
    private(set) var recentHeads = TakeSteps<TakeHead>(of: { Int($0.listener) }, at: { $0.step.position })
    private(set) var recentObjects = TakeSteps<TakeObject>(of: { Int($0.object) }, at: { $0.sample })

    init(_ lines: TakeConnections) {
        heads = ([lines.heads] + lines.workers.map(\.heads)).map { Heads($0.take()) }
        objects = lines.objects.take()
    }

    /// Takes what the renderer has sent.
    mutating func collect() {
        for ring in heads { while let head = ring.pop() { recentHeads.add(head) } }
        while let object = objects.pop() { recentObjects.add(object) }
    }

    /// Takes out the steps that have not been taken out.
    mutating func takeHeads() -> [TakeHead] { recentHeads.takeRecent() }

    mutating func takeObjects() -> [TakeObject] { recentObjects.takeRecent() }

    /// Leaves out what has been used.
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
