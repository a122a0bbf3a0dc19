internal import CRealtime

/// The angle of a vector, without a call into the mathematics library.
public enum ArcTangent {
    /// Two at a time: radians in [-pi, pi], within 3e-7 of exact; (0, 0) gives 0.
    ///
    /// The quotient of the smaller by the larger side goes through a polynomial of degree 17 (Chebyshev fit of
    /// atan(a)/a over a squared, 1.2e-8 from exact before rounding); octants are unfolded afterwards.
    @_noLocks @_noAllocation
    public static func angles(y: SIMD2<Float>, x: SIMD2<Float>) -> SIMD2<Float> {
        rt_angles4(SIMD4(lowHalf: y, highHalf: .zero), SIMD4(lowHalf: x, highHalf: .zero)).lowHalf
    }
}
