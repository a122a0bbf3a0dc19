internal import Crossing
internal import RenderInterface

/// Predicts one listener's head to the time at which a block is heard.
struct HeadPrediction: BitwiseCopyable, Sendable {
    /// Longest prediction, seconds; beyond it, a prediction is worse than none.
    static var furthest: Float { @_noLocks @_noAllocation get { 0.2 } }
    /// Shortest prediction time that is reported, seconds.
    private static var least: Float { @_noLocks @_noAllocation get { 0.001 } }

    /// Whether the pose has not been rendered before.
    var isNew = false
    /// Prediction time reported last, seconds; 0 without prediction.
    private var reported: Float = 0
    var isOn: Bool { @_noLocks @_noAllocation get { reported > 0 } }

    @_noLocks @_noAllocation
    init() {}

    /// Returns the head at the block's last frame, as a quaternion.
    ///
    /// - Parameters:
    ///   - end: time at which that frame leaves the converter, CLOCK_MONOTONIC nanoseconds; 0 when unknown.
    ///   - isMeasured: whether to predict to `end`.
    ///   - more: time to predict in addition to that, or without it, seconds.
    ///   - horizon: receives the prediction time, over which the predictors of later poses are rated.
    @_noLocks @_noAllocation
    mutating func head(
        _ pose: UnsafePointer<HeadPose>, until end: UInt64, isMeasured: Bool, more: Float, horizon: borrowing Target.Writer
    ) -> SIMD4<Float> {
        let pose = pose.pointee
        let begin = pose.trajectory.time != 0 ? pose.trajectory.time : pose.receiveTime
        guard isMeasured || more > 0 else {
            report(0, horizon)
            return pose.quaternion
        }
        let isTimed = begin != 0 && end != 0
        let age = isTimed ? max(0, Float(Int64(bitPattern: end &- begin)) * 1e-9) : 0
        let ahead = min(Self.furthest, (isMeasured ? age : 0) + more)
        if isNew || !isOn { report(max(ahead, Self.least), horizon) }
        isNew = false
        return pose.trajectory.predicted(pose.quaternion, ahead: ahead, age: age)
    }

    @_noLocks @_noAllocation
    private mutating func report(_ seconds: Float, _ horizon: borrowing Target.Writer) {
        guard seconds != reported else { return }
        reported = seconds
        horizon.set(seconds)
    }
}
