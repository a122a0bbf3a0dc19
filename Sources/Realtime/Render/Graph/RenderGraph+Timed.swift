internal import CRealtime
internal import Crossing
internal import Parameters
internal import RenderInterface

/// Rendering of a block in parts, so that a scheduled change takes effect at the sample nearest to its time.
extension RenderGraph {
    /// Applies the changes that are due with the sample at `offset` of a block.
    /// - Returns: the number of frames until the next one is due, or until the block ends.
    @_noLocks @_noAllocation
    mutating func applyDue(at offset: Int, of frames: Int, _ time: BlockTime) -> Int {
        let now = time.output &+ UInt64(rt_whole((Float(offset) + 0.5) * nanosecondsPerSample))
        while let change = changes.take(until: now) { apply(change) }
        guard let next = changes.next else { return frames &- offset }
        let sample = Float(Int64(bitPattern: next &- time.output)) / nanosecondsPerSample + 0.5
        guard sample < Float(frames) else { return frames &- offset }
        return max(offset &+ 1, Int(rt_whole(sample))) &- offset
    }

    @_noLocks @_noAllocation
    private mutating func apply(_ change: TimedChange) {
        if change.index >= 0 {
            reader.set(Int(change.index), change.value)
        } else if change.listener >= 0, Int(change.listener) < listeners.count {
            listeners.turn(Int(change.listener), change.quaternion, at: change.time)
        } else if change.listener >= 0 {
            let pose = TimedPose(sample: samples, time: change.time, listener: change.listener, quaternion: change.quaternion)
            senders.turn(pose, place: Int(change.listener) &- listeners.count)
        }
    }
}

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
