internal import CRealtime

/// Directivity of first order: a sum of a sphere and a figure of eight.
public enum Directivity {
    /// Unit vector of the direction in which a source faces.
    /// - Parameters:
    ///   - yaw: degrees, positive to the left.
    ///   - pitch: degrees, positive up.
    @_noLocks @_noAllocation
    public static func front(yaw: Float, pitch: Float) -> SIMD3<Float> {
        let (yaw, pitch) = (yaw * .pi / 180, pitch * .pi / 180)
        let flat = rt_cos(pitch)
        return SIMD3(flat * rt_cos(yaw), flat * rt_sin(yaw), rt_sin(pitch))
    }

    /// Factor of the sound that leaves in a direction; negative behind a figure of eight.
    /// - Parameters:
    ///   - share: of the figure of eight, 0 to 1; 0.5 is a cardioid.
    ///   - front, towards: unit vectors.
    @_noLocks @_noAllocation
    public static func factor(_ share: Float, front: SIMD3<Float>, towards: SIMD3<Float>) -> Float {
        let product = front * towards
        return 1 - share + share * (product[0] + product[1] + product[2])
    }
}
