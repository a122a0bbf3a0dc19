internal import Glibc

/// Converts angles to quaternions and back, in Vestibule's axes: x front, y left, z up.
///
/// Yaw is positive to the left, pitch up, roll with the right ear down; applied as intrinsic yaw, then pitch, then
/// roll. Quaternions are lanes w x y z and rotate head coordinates into world coordinates.
public enum Orientation {
    /// - Parameters: degrees.
    public static func quaternion(yaw: Float, pitch: Float, roll: Float) -> SIMD4<Float> {
        let half = Double.pi / 360
        let (cosYaw, sinYaw) = (cos(Double(yaw) * half), sin(Double(yaw) * half))
        // Upward pitch is a negative turn about the axis that points left.
        let (cosPitch, sinPitch) = (cos(Double(pitch) * half), -sin(Double(pitch) * half))
        let (cosRoll, sinRoll) = (cos(Double(roll) * half), sin(Double(roll) * half))
        return SIMD4<Float>(
            SIMD4<Double>(
                cosYaw * cosPitch * cosRoll + sinYaw * sinPitch * sinRoll,
                cosYaw * cosPitch * sinRoll - sinYaw * sinPitch * cosRoll,
                cosYaw * sinPitch * cosRoll + sinYaw * cosPitch * sinRoll,
                sinYaw * cosPitch * cosRoll - cosYaw * sinPitch * sinRoll))
    }

    /// Returns yaw in (-180, 180], pitch in [-90, 90] and roll in (-180, 180], in degrees.
    public static func angles(_ quaternion: SIMD4<Float>) -> (yaw: Float, pitch: Float, roll: Float) {
        let q = SIMD4<Double>(quaternion)
        let (w, x, y, z) = (q[0], q[1], q[2], q[3])
        let degrees = 180 / Double.pi
        let yaw = atan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z))
        let pitch = asin(max(-1, min(1, 2 * (x * z - w * y))))
        let roll = atan2(2 * (w * x + y * z), 1 - 2 * (x * x + y * y))
        return (Float(yaw * degrees), Float(pitch * degrees), Float(roll * degrees))
    }

    /// Returns the orientation after a turn about the world's vertical axis.
    /// - Parameter yaw: degrees, positive to the left.
    public static func turned(_ quaternion: SIMD4<Float>, yaw: Float) -> SIMD4<Float> {
        guard yaw != 0 else { return quaternion }
        let turn = Rotation.about(2, Double(yaw) * .pi / 180)
        return SIMD4<Float>(Rotation.product(turn, SIMD4<Double>(quaternion)))
    }

    /// Normalises a quaternion to length 1; nil when it is not a rotation (length below 0.001, NaN). A quaternion that has
    /// this length already, within float precision, is returned unchanged.
    public static func normalised(_ quaternion: SIMD4<Float>) -> SIMD4<Float>? {
        let q = SIMD4<Double>(quaternion)
        let length = (q * q).sum().squareRoot()
        guard length.isFinite, length > 1e-3 else { return nil }
        guard abs(length - 1) > 1e-6 else { return quaternion }
        return SIMD4<Float>(q / length)
    }

    /// Returns the angle of the shortest turn between two orientations in degrees.
    public static func angle(_ a: SIMD4<Float>, _ b: SIMD4<Float>) -> Double {
        Rotation.length(Rotation.from(SIMD4<Double>(a), to: SIMD4<Double>(b))) * 180 / .pi
    }

    /// Interpolates from `a` (share 0) to `b` (share 1) along the shortest arc at constant speed (Shoemake, SIGGRAPH 1985).
    public static func between(_ a: SIMD4<Float>, _ b: SIMD4<Float>, share: Double) -> SIMD4<Float> {
        let from = SIMD4<Double>(a)
        var to = SIMD4<Double>(b)
        var cosine = (from * to).sum()
        if cosine < 0 {
            to = -to
            cosine = -cosine
        }
        let angle = acos(min(cosine, 1))
        // The arc is so short that linear interpolation is exact enough.
        guard angle > 1e-4 else { return normalised(SIMD4<Float>(from + (to - from) * share)) ?? a }
        let mixed = from * (sin((1 - share) * angle) / sin(angle)) + to * (sin(share * angle) / sin(angle))
        return SIMD4<Float>(mixed)
    }
}

/// Quaternions in double precision, lanes w x y z.
enum Rotation {
    /// Returns the rotation that applies `b` first, then `a`.
    static func product(_ a: SIMD4<Double>, _ b: SIMD4<Double>) -> SIMD4<Double> {
        SIMD4(
            a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3],
            a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
            a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1],
            a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0])
    }

    /// Returns the inverse of a unit quaternion.
    static func inverse(_ q: SIMD4<Double>) -> SIMD4<Double> { SIMD4(q[0], -q[1], -q[2], -q[3]) }

    /// Returns a right-handed turn about axis 0, 1 or 2 by an angle in radians.
    static func about(_ axis: Int, _ angle: Double) -> SIMD4<Double> {
        var q = SIMD4(cos(angle / 2), 0, 0, 0)
        q[axis + 1] = sin(angle / 2)
        return q
    }

    /// Returns the rotation given by a rotation vector in radians.
    static func exponential(_ v: SIMD3<Double>) -> SIMD4<Double> {
        let angle = length(v)
        let share = angle > 1e-9 ? sin(angle / 2) / angle : 0.5
        return SIMD4(cos(angle / 2), v.x * share, v.y * share, v.z * share)
    }

    /// Returns the shortest rotation vector of a unit quaternion, at most pi long: the inverse of ``exponential(_:)``.
    static func logarithm(_ q: SIMD4<Double>) -> SIMD3<Double> {
        let v = q[0] < 0 ? -SIMD3(q[1], q[2], q[3]) : SIMD3(q[1], q[2], q[3])
        let sine = length(v)
        return sine > 1e-12 ? v * (2 * atan2(sine, abs(q[0])) / sine) : v * 2
    }

    /// Returns the rotation vector from `a` to `b`, in the axes of `a`.
    static func from(_ a: SIMD4<Double>, to b: SIMD4<Double>) -> SIMD3<Double> { logarithm(product(inverse(a), b)) }

    static func length(_ v: SIMD3<Double>) -> Double { (v * v).sum().squareRoot() }

    static func turn(_ v: SIMD3<Double>, by q: SIMD4<Double>) -> SIMD3<Double> {
        let turned = product(product(q, SIMD4(0, v.x, v.y, v.z)), inverse(q))
        return SIMD3(turned[1], turned[2], turned[3])
    }

    /// Returns the angle between `a` and `b`, from 0 to 180 degrees; accurate for small angles as well.
    static func degrees(_ a: SIMD4<Double>, _ b: SIMD4<Double>) -> Double {
        let (turn, _) = angleAndAxis(product(b, inverse(a)))
        return turn
    }

    /// Returns the angle from 0 to 180 degrees, and the unit axis of the right-handed turn (arbitrary for angle 0).
    static func angleAndAxis(_ q: SIMD4<Double>) -> (degrees: Double, axis: SIMD3<Double>) {
        let short = q[0] < 0 ? -q : q
        let vector = SIMD3(short[1], short[2], short[3])
        let length = (vector * vector).sum().squareRoot()
        return (2 * atan2(length, short[0]) * 180 / .pi, length > 1e-9 ? vector / length : SIMD3(0, 0, 1))
    }

    /// Normalises a quaternion to length 1; nil when it is not a rotation (length below 0.001, NaN, infinite).
    static func unit(_ q: SIMD4<Double>) -> SIMD4<Double>? {
        // The square of a large number would be infinite.
        let largest = max(abs(q[0]), abs(q[1]), abs(q[2]), abs(q[3]))
        let q = largest > 1 ? q / largest : q
        let length = (q * q).sum().squareRoot()
        return length.isFinite && length > 1e-3 ? q / length : nil
    }
}
