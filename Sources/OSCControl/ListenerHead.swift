internal import Tracking

/// One head on the pose thread: its inlet, and who may turn it.
// SAFETY: used by the pose thread alone once that runs.
final class ListenerHead: @unchecked Sendable {
    private let inlet: PoseInlet
    private var arbiter = HeadArbiter()
    /// The newest pose that was sent, w x y z.
    private(set) var pose = SIMD4<Float>(1, 0, 0, 0)
    /// Degrees: the yaw of a head that looks straight ahead.
    var front: Float = 0

    init(_ inlet: PoseInlet) { self.inlet = inlet }

    var holder: HeadArbiter.Source? { arbiter.holder }

    /// - Parameters:
    ///   - quaternion: w x y z of any length.
    ///   - receiveTime, senderTime: CLOCK_MONOTONIC nanoseconds; the latter 0 when unknown.
    /// - Returns: whether it turned the head; false when another source does, and for what is no rotation.
    func offer(
        _ source: HeadArbiter.Source, _ quaternion: SIMD4<Float>, receiveTime: UInt64, senderTime: UInt64 = 0
    ) -> Bool {
        guard let unit = Orientation.normalised(quaternion), arbiter.offer(source, unit, now: receiveTime) else {
            return false
        }
        return send(unit, receiveTime, senderTime)
    }

    /// A pose that no source sent: on the way home.
    func glide(_ source: HeadArbiter.Source, _ quaternion: SIMD4<Float>, now: UInt64) -> Bool {
        arbiter.release(source)
        return holder == nil && send(quaternion, now)
    }

    var home: SIMD4<Float> { Orientation.quaternion(yaw: front, pitch: 0, roll: 0) }

    /// A hand on the panel, or anything else that came through the hub and is on its way already.
    func noteManual(_ quaternion: SIMD4<Float>) {
        arbiter.seize(HeadArbiter.direct)
        pose = quaternion
    }

    func forget(_ source: HeadArbiter.Source) { arbiter.forget(source) }

    private func send(_ quaternion: SIMD4<Float>, _ receiveTime: UInt64, _ senderTime: UInt64 = 0) -> Bool {
        pose = quaternion
        return inlet.send(quaternion: quaternion, receiveTime: receiveTime, senderTime: senderTime)
    }
}
