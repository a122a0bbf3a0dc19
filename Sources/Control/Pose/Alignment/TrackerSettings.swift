/// User settings of one tracker.
public struct TrackerSettings: Sendable, Equatable {
    public var map = AxisMap.identity
    /// Rotation w x y z from the head's axes to the tracker's, for one that is worn at an angle.
    public var mount = SIMD4<Double>(1, 0, 0, 0)
    /// The tracker's yaw in degrees that counts as straight ahead.
    public var centre = 0.0
    /// Seconds of silence after which the head returns to the front; 0 holds it indefinitely.
    public var timeout = 10.0
    /// Duration of the return in seconds.
    public var returnTime = 2.0
    /// Drift correction in degrees per minute, pulling the yaw of a head at rest to straight ahead; 0 disables it.
    public var drift = 0.0

    /// Whether the tracker's position moves the listener.
    public var hasPosition = false
    /// Metres by which the listener moves for a metre of the tracker.
    public var positionScale = 1.0
    /// The tracker's position at which the listener is at its own place, metres.
    public var positionCentre = SIMD3<Double>.zero

    public init() {}
}
