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
