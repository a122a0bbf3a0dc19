/// What a person sets for one tracker.
public struct TrackerSettings: Sendable, Equatable {
    public var map = AxisMap.identity
    /// w x y z: from the head's axes to the tracker's, for one that is worn askew.
    public var mount = SIMD4<Double>(1, 0, 0, 0)
    /// Degrees: the tracker's yaw that counts as straight ahead.
    public var centre = 0.0
    /// Seconds of silence after which the head glides home; 0 holds it for ever.
    public var timeout = 10.0
    /// Seconds that gliding home takes.
    public var glide = 2.0
    /// Degrees a minute by which the resting yaw is pulled to straight ahead; 0 leaves it alone.
    public var drift = 0.0

    public init() {}
}
