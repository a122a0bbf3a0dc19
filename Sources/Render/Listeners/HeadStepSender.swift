public import Crossing
public import RenderInterface

/// Records the motion of one head: one step for every block whose head differs from the block before.
public struct HeadStepSender: ~Copyable, Sendable {
    private var steps: Ring<HeadStep>.Producer
    private let isWanted: Switch.Realtime
    private var last: SIMD4<Float> = .zero
    private var isRunning = false

    public init(steps: consuming Ring<HeadStep>.Producer, isWanted: consuming Switch.Realtime) {
        self.steps = steps
        self.isWanted = isWanted
    }

    /// Records the head of a block. A step that finds the ring full is repeated with the next block.
    @_noLocks @_noAllocation
    mutating func record(_ head: SIMD4<Float>, of pose: UnsafePointer<HeadPose>, position: Int64) {
        guard isWanted.isOn else {
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
