internal import Crossing
internal import Pose

/// A listener's head on the pose thread: its inlet and the arbiter between trackers.
// SAFETY: used only by the pose thread once it runs.
final class ListenerHead: @unchecked Sendable {
    private let inlet: PoseInlet
    private let presence: Switch.Realtime
    private var arbiter = HeadArbiter()
    /// Most recently sent pose, w x y z.
    private(set) var pose = SIMD4<Float>(1, 0, 0, 0)
    /// Yaw in degrees of a head that looks straight ahead.
    var front: Float = 0

    /// - Parameter presence: whether the listener is present; nil for one that always is.
    init(_ inlet: PoseInlet, presence: Parcel<Switch.Realtime>? = nil) {
        self.inlet = inlet
        self.presence = presence?.take() ?? Self.always()
    }

    /// Whether the listener is present. Poses for an absent one are passed to the control thread, like messages to unknown addresses.
    var isPresent: Bool { presence.isOn }

    private static func always() -> Switch.Realtime {
        let presence = Switch()
        presence.control.set(true)
        return presence.realtime
    }

    var holder: HeadArbiter.Source? { arbiter.holder }

    /// - Parameters:
    ///   - unit: quaternion w x y z of length 1.
    ///   - place: displacement of the head from its listener's place, metres in the world.
    ///   - receiveTime, senderTime: CLOCK_MONOTONIC nanoseconds; `senderTime` is 0 when unknown.
    /// - Returns: whether the pose turned the head; false while another source controls it.
    func offer(
        _ source: HeadArbiter.Source, _ unit: SIMD4<Float>, place: SIMD3<Float> = .zero, receiveTime: UInt64, senderTime: UInt64 = 0
    ) -> Bool {
        guard arbiter.offer(source, unit, now: receiveTime) else { return false }
        inlet.place = place
        send(unit, receiveTime, senderTime)
        return true
    }

    /// Sends a synthetic pose while the head returns to the front.
    /// - Returns: false while another source controls the head.
    func turnHome(_ source: HeadArbiter.Source, _ unit: SIMD4<Float>, now: UInt64) -> Bool {
        arbiter.release(source)
        guard holder == nil else { return false }
        inlet.place = .zero
        send(unit, now)
        return true
    }

    var home: SIMD4<Float> { Orientation.quaternion(yaw: front, pitch: 0, roll: 0) }

    /// Records a pose that was set through the hub, for example on the panel, and has already been sent.
    func noteManual(_ quaternion: SIMD4<Float>) {
        arbiter.seize(HeadArbiter.direct)
        pose = quaternion
    }

    func forget(_ source: HeadArbiter.Source) { arbiter.forget(source) }

    private func send(_ unit: SIMD4<Float>, _ receiveTime: UInt64, _ senderTime: UInt64 = 0) {
        pose = unit
        inlet.send(unit: unit, receiveTime: receiveTime, senderTime: senderTime)
    }
}
