internal import CRealtime
internal import Effects

/// Slots in a row.
struct Branch: ~Copyable, Sendable {
    // SAFETY: owned by this value alone, which cannot be copied.
    private nonisolated(unsafe) let slots: UnsafeMutablePointer<RackSlot>
    private let count: Int
    /// What makes it as late as the longest branch beside it.
    private var wait: Lag
    let gain: Float

    init(
        _ slots: [RackDescription.Slot], gain: Float, latest: Int, rate: Float, largestBlock: Int,
        response: (RackDescription.Slot) -> (left: [Float], right: [Float])
    ) {
        self.slots = .allocate(capacity: max(1, slots.count))
        count = slots.count
        var own = 0
        for (i, slot) in slots.enumerated() {
            (self.slots + i).initialize(
                to: RackSlot(slot, rate: rate, largestBlock: largestBlock, response: response(slot)))
            own += self.slots[i].latency
        }
        self.gain = gain
        wait = Lag(samples: max(0, latest - own), largestBlock: largestBlock)
    }

    deinit {
        slots.deinitialize(count: count)
        slots.deallocate()
    }

    var latency: Int { (0..<count).reduce(wait.samples) { $0 + slots[$1].latency } }
    var tail: Int { (0..<count).reduce(0) { $0 + slots[$1].tail } }

    @_noLocks @_noAllocation
    mutating func process(
        _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, frames: Int
    ) {
        for i in 0..<count { slots[i].process(left, right, frames: frames) }
        guard wait.samples > 0 else { return }
        wait.take(left, right, frames: frames)
        rt_copy(left, wait.left, frames)
        rt_copy(right, wait.right, frames)
        wait.advance(frames)
    }
}
