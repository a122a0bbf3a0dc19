public import Crossing
public import RenderInterface
internal import Synchronization

/// Entry point for one thread's poses of one listener. The renderer uses the newest pose of all inlets.
///
/// Its methods may be called from one thread only: the thread it was made for.
// SAFETY: only the one thread that the inlet was made for calls `send`.
public final class PoseInlet: @unchecked Sendable {
    private var writer: Latest<HeadPose>.Writer
    private static let lastId = Atomic<UInt64>(0)

    private let origin: HeadPose.Origin
    private let horizon: Target?
    private let arrivals: PoseArrivals?
    private var predictor: HeadPredictor?
    /// Metres from the listener's place at which the head is; sent with the next pose.
    public var place = SIMD3<Float>.zero
    /// ``HeadPose/id`` of the newest pose sent here; 0 before the first.
    public private(set) var newest: UInt64 = 0

    /// - Parameters:
    ///   - horizon: prediction horizon of the listener; nil disables prediction.
    ///   - arrivals: receives arrival statistics.
    public init(
        _ writer: consuming Latest<HeadPose>.Writer, origin: HeadPose.Origin = .network, horizon: Target? = nil,
        arrivals: PoseArrivals? = nil
    ) {
        self.writer = writer
        self.origin = origin
        self.horizon = horizon
        self.arrivals = arrivals
    }

    /// Sends a pose of any length, normalised here; the next block uses it.
    ///
    /// - Parameters:
    ///   - quaternion: w x y z.
    ///   - receiveTime: time at which the kernel received it, CLOCK_MONOTONIC nanoseconds.
    /// - Returns: false, without effect, for a quaternion that is not a rotation.
    @discardableResult
    public func send(quaternion: SIMD4<Float>, receiveTime: UInt64, senderTime: UInt64 = 0) -> Bool {
        guard let unit = Orientation.normalised(quaternion) else { return false }
        send(unit: unit, receiveTime: receiveTime, senderTime: senderTime)
        return true
    }

    /// Sends a pose that has been normalised already; the next block uses it.
    ///
    /// - Parameters:
    ///   - unit: quaternion w x y z of length 1.
    ///   - receiveTime: time at which the kernel received it, CLOCK_MONOTONIC nanoseconds.
    public func send(unit: SIMD4<Float>, receiveTime: UInt64, senderTime: UInt64 = 0) {
        let interval = arrivals?.note(receiveTime: receiveTime) ?? 0
        let id = Self.lastId.add(1, ordering: .relaxed).newValue
        newest = id
        writer.publish(
            .init(
                quaternion: unit, place: place, id: id, receiveTime: receiveTime, senderTime: senderTime, origin: origin,
                interval: interval, trajectory: trajectory(unit, time: senderTime != 0 ? senderTime : receiveTime)))
    }

    /// Returns the head's predicted motion, or an empty trajectory while prediction is off.
    private func trajectory(_ unit: SIMD4<Float>, time: UInt64) -> PoseTrajectory {
        guard let ahead = horizon?.value, ahead > 0, time != 0 else {
            predictor = nil
            return PoseTrajectory()
        }
        if predictor == nil { predictor = HeadPredictor() }
        return predictor!.take(unit, time: time, ahead: Double(ahead))
    }

    /// Sends a pose given as angles in degrees; see ``Orientation`` for their signs.
    @discardableResult
    public func send(yaw: Float, pitch: Float, roll: Float, receiveTime: UInt64, senderTime: UInt64 = 0) -> Bool {
        guard yaw.isFinite, pitch.isFinite, roll.isFinite else { return false }
        return send(
            quaternion: Orientation.quaternion(yaw: yaw, pitch: pitch, roll: roll), receiveTime: receiveTime,
            senderTime: senderTime)
    }
}
