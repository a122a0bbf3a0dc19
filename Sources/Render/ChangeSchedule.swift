internal import Crossing

/// Changes that wait for their sample, the next one last. Bounded; what does not fit waits in the ring.
struct ChangeSchedule: ~Copyable, Sendable {
    static let capacity = 1024
    /// So many are sorted in during one block, so that a flood of them costs no block its time.
    private static var mostPerBlock: Int { @_noLocks @_noAllocation get { 64 } }

    private var arriving: Ring<TimedChange>.Consumer
    // SAFETY: owned by this value alone, which cannot be copied.
    private nonisolated(unsafe) let waiting: UnsafeMutablePointer<TimedChange>
    private var count = 0

    init(_ arriving: consuming Ring<TimedChange>.Consumer) {
        self.arriving = arriving
        waiting = .allocate(capacity: Self.capacity)
    }

    deinit { waiting.deallocate() }

    /// Takes what has been sent; what is due at the same time keeps its order.
    @_noLocks @_noAllocation
    mutating func receive() {
        var taken = 0
        while taken < Self.mostPerBlock, count < Self.capacity, let change = arriving.pop() {
            var place = count
            while place > 0, waiting[place &- 1].time <= change.time {
                waiting[place] = waiting[place &- 1]
                place = place &- 1
            }
            waiting[place] = change
            count = count &+ 1
            taken = taken &+ 1
        }
    }

    /// The time of the next change, CLOCK_MONOTONIC nanoseconds; nil when there is none.
    var next: UInt64? { @_noLocks @_noAllocation get { count > 0 ? waiting[count &- 1].time : nil } }

    /// The next change, when it is due at `time`.
    @_noLocks @_noAllocation
    mutating func take(until time: UInt64) -> TimedChange? {
        guard count > 0, waiting[count &- 1].time <= time else { return nil }
        count = count &- 1
        return waiting[count]
    }
}
