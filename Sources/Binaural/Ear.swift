internal import CRealtime

/// Which ear: the left sits at head azimuth +earAzimuth, the right at -earAzimuth.
public enum Ear: Int, Sendable {
    case left, right

    /// Where this ear points in the world once the head has turned, projected onto the ring's plane.
    ///
    /// - Parameters:
    ///   - head: unit quaternion w x y z, head to world.
    ///   - earAzimuth: degrees from the nose.
    ///   - front: degrees; the world yaw that counts as straight ahead.
    /// - Returns: degrees in (-180, 180], or nil while the ear points within 0.06 degrees of straight up or
    ///   down, where it has no azimuth.
    @_noLocks @_noAllocation
    public func azimuth(head: SIMD4<Float>, earAzimuth: Float, front: Float) -> Float? {
        let degrees: Float = 180 / .pi
        let angle = (self == .left ? earAzimuth : -earAzimuth) / degrees
        let (along, across) = (rt_cos(angle), rt_sin(angle))
        let (w, x, y, z) = (head[0], head[1], head[2], head[3])
        let ahead = (1 - 2 * (y * y + z * z)) * along + 2 * (x * y - w * z) * across
        let left = 2 * (x * y + w * z) * along + (1 - 2 * (x * x + z * z)) * across
        guard ahead * ahead + left * left > 1e-6 else { return nil }
        return wrapDegrees(rt_atan2(left, ahead) * degrees - front)
    }
}
