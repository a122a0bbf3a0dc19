internal import CRealtime
internal import DSP

/// Directions of both ears of a turned head.
public enum Ears {
    /// Azimuths of both ears in the world, projected onto the ring's plane.
    ///
    /// - Parameters:
    ///   - head: unit quaternion w x y z, head to world.
    ///   - nose: cosine and sine of the angle between nose and ear.
    ///   - front: world yaw that counts as straight ahead, degrees.
    ///   - previous: previous azimuths, kept for an ear that points within 0.06 degrees of straight up or down, where the azimuth is
    ///     undefined.
    /// - Returns: left, right; degrees in (-180, 180].
    @_noLocks @_noAllocation
    public static func azimuths(
        head: SIMD4<Float>, nose: SIMD2<Float>, front: Float, previous: SIMD2<Float>
    ) -> SIMD2<Float> {
        let (w, x, y, z) = (head[0], head[1], head[2], head[3])
        let across = SIMD2(nose[1], -nose[1])
        let ahead = (1 - 2 * (y * y + z * z)) * nose[0] + 2 * (x * y - w * z) * across
        let left = 2 * (x * y + w * z) * nose[0] + (1 - 2 * (x * x + z * z)) * across
        let turned = ArcTangent.angles(y: left, x: ahead) * (180 / .pi) - front
        let flat = ahead * ahead + left * left
        return SIMD2(
            flat[0] > 1e-6 ? wrapDegrees(turned[0]) : previous[0],
            flat[1] > 1e-6 ? wrapDegrees(turned[1]) : previous[1])
    }

    /// Angles of both ears with the ring's plane, degrees in [-90, 90]; zero when both are small.
    ///
    /// - Parameter sine: sine of the angle up to which both count as in the plane.
    @_noLocks @_noAllocation
    public static func elevations(head: SIMD4<Float>, nose: SIMD2<Float>, least sine: Float) -> SIMD2<Float> {
        let (w, x, y, z) = (head[0], head[1], head[2], head[3])
        let across = SIMD2(nose[1], -nose[1])
        let up = 2 * (x * z - w * y) * nose[0] + 2 * (y * z + w * x) * across
        guard max(up[0] * up[0], up[1] * up[1]) > sine * sine else { return .zero }
        let flat = 1 - up * up
        return ArcTangent.angles(y: up, x: SIMD2(rt_sqrt(max(0, flat[0])), rt_sqrt(max(0, flat[1])))) * (180 / .pi)
    }

    /// Directions of both ears in the world: front, left and up components, each for the left ear and the right ear.
    ///
    /// - Parameters: see ``azimuths(head:nose:front:previous:)``.
    @_noLocks @_noAllocation
    public static func directions(
        head: SIMD4<Float>, nose: SIMD2<Float>, front: Float
    ) -> (ahead: SIMD2<Float>, left: SIMD2<Float>, up: SIMD2<Float>) {
        let (w, x, y, z) = (head[0], head[1], head[2], head[3])
        let across = SIMD2(nose[1], -nose[1])
        let ahead = (1 - 2 * (y * y + z * z)) * nose[0] + 2 * (x * y - w * z) * across
        let left = 2 * (x * y + w * z) * nose[0] + (1 - 2 * (x * x + z * z)) * across
        let up = 2 * (x * z - w * y) * nose[0] + 2 * (y * z + w * x) * across
        guard front != 0 else { return (ahead, left, up) }
        let (cosine, sine) = (rt_cos(front * .pi / 180), rt_sin(front * .pi / 180))
        return (ahead * cosine + left * sine, left * cosine - ahead * sine, up)
    }
}
