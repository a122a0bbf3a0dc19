import Crossing
import RenderInterface

/// The motion of the latest seconds, and what every head and object did last before them. Used on the takes thread alone.
struct TakeMotionLog: ~Copyable {
    private var heads: Ring<TakeHead>.Consumer
    private var objects: Ring<TakeObject>.Consumer
    private(set) var recentHeads = TakeSteps<TakeHead>(of: { Int($0.listener) }, at: { $0.step.position })
    private(set) var recentObjects = TakeSteps<TakeObject>(of: { Int($0.object) }, at: { $0.sample })

    init(heads: consuming Ring<TakeHead>.Consumer, objects: consuming Ring<TakeObject>.Consumer) {
        self.heads = heads
        self.objects = objects
    }

    /// Takes what the renderer has sent.
    mutating func collect() {
        while let head = heads.pop() { recentHeads.add(head) }
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
