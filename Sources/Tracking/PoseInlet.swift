public import Crossing
internal import Synchronization

/// Where one thread puts the poses of one listener. The renderer takes the newest of all inlets.
///
/// Its methods may be called from one thread only: the thread it was made for.
// SAFETY: only the one thread that the inlet was made for calls `send`.
public final class PoseInlet: @unchecked Sendable {
    private var writer: Latest<HeadPose>.Writer
    private static let lastId = Atomic<UInt64>(0)

    private let origin: HeadPose.Origin
    private let horizon: Horizon?
    private let arrivals: PoseArrivals?
    private var predictor: HeadPredictor?
    /// Of the newest pose sent here, as ``HeadPose/id``; 0 before the first.
    public private(set) var newest: UInt64 = 0

    /// - Parameters:
    ///   - horizon: of the listener; without it heads are never predicted.
    ///   - arrivals: counts what comes.
    public init(
        _ writer: consuming Latest<HeadPose>.Writer, origin: HeadPose.Origin = .network, horizon: Horizon? = nil,
        arrivals: PoseArrivals? = nil
    ) {
        self.writer = writer
        self.origin = origin
        self.horizon = horizon
        self.arrivals = arrivals
    }

    /// Puts a pose on its way; the next block uses it.
    ///
    /// - Parameters:
    ///   - quaternion: w x y z; normalised here.
    ///   - receiveTime: when the kernel had it, CLOCK_MONOTONIC nanoseconds.
    /// - Returns: false, and does nothing, when the quaternion is no rotation.
    @discardableResult
    public func send(quaternion: SIMD4<Float>, receiveTime: UInt64, senderTime: UInt64 = 0) -> Bool {
        guard let unit = Orientation.normalised(quaternion) else { return false }
        let interval = arrivals?.note(receiveTime: receiveTime) ?? 0
        let id = Self.lastId.add(1, ordering: .relaxed).newValue
        newest = id
        writer.publish(
            .init(
                quaternion: unit, id: id, receiveTime: receiveTime, senderTime: senderTime, origin: origin,
                interval: interval, course: course(unit, time: senderTime != 0 ? senderTime : receiveTime)))
        return true
    }

    /// Where the head is going, when the renderer looks ahead.
    private func course(_ unit: SIMD4<Float>, time: UInt64) -> PoseCourse {
        guard let ahead = horizon?.seconds, ahead > 0, time != 0 else {
            predictor = nil
            return PoseCourse()
        }
        if predictor == nil { predictor = HeadPredictor() }
        return predictor!.take(unit, time: time, ahead: Double(ahead))
    }

    /// - Parameters: degrees, as ``Orientation`` has them.
    @discardableResult
    public func send(yaw: Float, pitch: Float, roll: Float, receiveTime: UInt64, senderTime: UInt64 = 0) -> Bool {
        guard yaw.isFinite, pitch.isFinite, roll.isFinite else { return false }
        return send(
            quaternion: Orientation.quaternion(yaw: yaw, pitch: pitch, roll: roll), receiveTime: receiveTime,
            senderTime: senderTime)
    }
}
