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
