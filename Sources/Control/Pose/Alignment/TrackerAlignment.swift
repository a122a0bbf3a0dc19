internal import Glibc

/// Converts a tracker's orientation to the head's: mount, centre, and a slow drift correction of yaw.
public struct TrackerAlignment: Sendable {
    public var settings: TrackerSettings {
        didSet { if settings.centre != oldValue.centre || settings.drift == 0 { correction = 0 } }
    }
    /// Accumulated drift correction in degrees, added to the centre.
    public private(set) var correction = 0.0
    private var last: (time: UInt64, head: SIMD4<Double>)?

    /// Speed in degrees per second above which the head is not at rest and drift is not corrected.
    private static let stillness = 10.0
    /// Yaw in degrees beyond which a head at rest is assumed to look aside deliberately, and drift is not corrected.
    private static let farthest = 60.0

    public init(_ settings: TrackerSettings = .init()) { self.settings = settings }

    /// - Parameters:
    ///   - tracker: w x y z of length 1, axes mapped.
    ///   - now: CLOCK_MONOTONIC nanoseconds.
    /// - Returns: the head, w x y z of length 1.
    public mutating func head(_ tracker: SIMD4<Float>, now: UInt64) -> SIMD4<Float> {
        let worn = Rotation.product(SIMD4<Double>(tracker), settings.mount)
        var head = Self.turned(worn, by: -(settings.centre + correction))
        if settings.drift > 0, let last, now > last.time {
            let seconds = min(Double(now - last.time) / 1e9, 1)
            let yaw = Self.yaw(head)
            if Rotation.degrees(last.head, head) < Self.stillness * seconds, abs(yaw) < Self.farthest {
                let most = settings.drift / 60 * seconds
                correction += max(-most, min(most, yaw))
                head = Self.turned(worn, by: -(settings.centre + correction))
            }
        }
        last = (now, head)
        return SIMD4<Float>(Rotation.unit(head) ?? SIMD4(1, 0, 0, 0))
    }

    /// The head's displacement from its listener's place: that of the tracker from its centre, metres in the world.
    public func place(_ tracker: SIMD3<Float>?) -> SIMD3<Float> {
        guard settings.hasPosition, let tracker else { return .zero }
        let way = (SIMD3<Double>(tracker) - settings.positionCentre) * settings.positionScale
        let (sine, cosine) = (sin(settings.centre * .pi / 180), cos(settings.centre * .pi / 180))
        // The tracker's straight-ahead direction is the front for places, too.
        return SIMD3<Float>(SIMD3(cosine * way.x + sine * way.y, cosine * way.y - sine * way.x, way.z))
    }

    private static func turned(_ q: SIMD4<Double>, by degrees: Double) -> SIMD4<Double> {
        Rotation.product(Rotation.about(2, degrees * .pi / 180), q)
    }

    static func yaw(_ q: SIMD4<Double>) -> Double { EulerOrder.yawPitchRoll.angles(q).x * 180 / .pi }
}

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
