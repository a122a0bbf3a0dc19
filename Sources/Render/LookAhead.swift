internal import Crossing

/// How far ahead of its pose one listener's head is rendered.
struct LookAhead: BitwiseCopyable, Sendable {
    /// Seconds within which a prediction is of use; beyond, it is worse than none.
    static var furthest: Float { @_noLocks @_noAllocation get { 0.2 } }
    /// Seconds: what poses are judged by before it is known how far ahead they are looked at.
    private static var least: Float { @_noLocks @_noAllocation get { 0.001 } }

    /// The pose has not been rendered before.
    var isNew = false
    /// What whoever brings poses was told last; 0 is that nobody looks ahead.
    private var told: Float = 0
    var isOn: Bool { @_noLocks @_noAllocation get { told > 0 } }

    @_noLocks @_noAllocation
    init() {}

    /// The head at the block's last frame.
    ///
    /// - Parameters:
    ///   - end: when that frame leaves the converter, CLOCK_MONOTONIC nanoseconds; 0 when nobody knows.
    ///   - isMeasured: look as far ahead as `end` says.
    ///   - more: seconds to look further ahead, or the only ones.
    ///   - horizon: told how far ahead it was, by which what comes next is judged.
    @_noLocks @_noAllocation
    mutating func head(
        _ pose: UnsafePointer<HeadPose>, until end: UInt64, isMeasured: Bool, more: Float, horizon: borrowing Horizon.Writer
    ) -> SIMD4<Float> {
        let pose = pose.pointee
        let begin = pose.course.time != 0 ? pose.course.time : pose.receiveTime
        guard isMeasured || more > 0 else {
            tell(0, horizon)
            return pose.quaternion
        }
        let isTimed = begin != 0 && end != 0
        let age = isTimed ? max(0, Float(Int64(bitPattern: end &- begin)) * 1e-9) : 0
        let ahead = min(Self.furthest, (isMeasured ? age : 0) + more)
        if isNew || !isOn { tell(max(ahead, Self.least), horizon) }
        isNew = false
        return pose.course.turned(pose.quaternion, ahead: ahead, age: age)
    }

    @_noLocks @_noAllocation
    private mutating func tell(_ seconds: Float, _ horizon: borrowing Horizon.Writer) {
        guard seconds != told else { return }
        told = seconds
        horizon.set(seconds)
    }
}
