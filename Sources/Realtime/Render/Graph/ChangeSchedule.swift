internal import Crossing
internal import RenderInterface

/// Scheduled changes sorted by time, the next one last. Bounded: changes that do not fit wait in the ring.
struct ChangeSchedule: ~Copyable, Sendable {
    static let capacity = 1024
    /// Largest number of changes that are sorted in during one block, so that a flood of changes does not delay a block.
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

    /// Receives new changes; those with the same time keep their order.
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

    /// The time of the next change, CLOCK_MONOTONIC nanoseconds; nil without one.
    var next: UInt64? { @_noLocks @_noAllocation get { count > 0 ? waiting[count &- 1].time : nil } }

    /// Takes the next change if it is due at `time`.
    @_noLocks @_noAllocation
    mutating func take(until time: UInt64) -> TimedChange? {
        guard count > 0, waiting[count &- 1].time <= time else { return nil }
        count = count &- 1
        return waiting[count]
    }
}
