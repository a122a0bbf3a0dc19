public import Crossing

/// The renderer's end of a recording of one head: every block that has another head than the one before it.
public struct HeadTape: ~Copyable, Sendable {
    private var steps: Ring<HeadStep>.Producer
    private let isWanted: Gate.Realtime
    private var last: SIMD4<Float> = .zero
    private var isRunning = false

    public init(steps: consuming Ring<HeadStep>.Producer, isWanted: consuming Gate.Realtime) {
        self.steps = steps
        self.isWanted = isWanted
    }

    /// A step that finds no room is tried again with the next block.
    @_noLocks @_noAllocation
    mutating func note(_ head: SIMD4<Float>, of pose: UnsafePointer<HeadPose>, position: Int64) {
        guard isWanted.isOpen else {
            isRunning = false
            return
        }
        guard !isRunning || head != last else { return }
        let pose = pose.pointee
        let time = pose.senderTime != 0 ? pose.senderTime : pose.receiveTime
        isRunning = steps.push(HeadStep(position: position, head: head, pose: pose.quaternion, time: time))
        last = head
    }
}
