internal import CRealtime

/// Angles of vectors, without calls to the mathematics library.
public enum ArcTangent {
    /// Returns two angles in radians in [-pi, pi], within 3e-7; (0, 0) gives 0.
    ///
    /// The quotient of the smaller by the larger component goes through a polynomial of degree 17 (Chebyshev fit of
    /// atan(a)/a over a squared, within 1.2e-8 before rounding); octants are unfolded afterwards.
    @_noLocks @_noAllocation
    public static func angles(y: SIMD2<Float>, x: SIMD2<Float>) -> SIMD2<Float> {
        rt_angles4(SIMD4(lowHalf: y, highHalf: .zero), SIMD4(lowHalf: x, highHalf: .zero)).lowHalf
    }
}
