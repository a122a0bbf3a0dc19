/// The angle of a vector, without a call into the mathematics library.
public enum ArcTangent {
    /// Two at a time: radians in [-pi, pi], within 3e-7 of exact; (0, 0) gives 0.
    ///
    /// The quotient of the smaller by the larger side goes through a polynomial of degree 17 (Chebyshev fit of
    /// atan(a)/a over a squared, 1.2e-8 from exact before rounding); octants are unfolded afterwards.
    @_noLocks @_noAllocation @inlinable
    public static func angles(y: SIMD2<Float>, x: SIMD2<Float>) -> SIMD2<Float> {
        let height = y.replacing(with: -y, where: y .< 0)
        let width = x.replacing(with: -x, where: x .< 0)
        let isSteep = height .> width
        let larger = width.replacing(with: height, where: isSteep)
        let smaller = height.replacing(with: width, where: isSteep)
        let a = smaller / larger.replacing(with: .leastNormalMagnitude, where: larger .== 0)
        let s = a * a
        let low = 0.999999984 + s * (-0.333330668 + s * (0.199924836 + s * -0.142025705))
        let quad = s * s * (s * s)
        let high = 0.106367541 + s * (-0.0749544544 + s * (0.0425876075 + s * (-0.0160050305 + s * 0.0028340643)))
        var angle = a * (low + quad * high)
        angle = angle.replacing(with: .pi / 2 - angle, where: isSteep)
        angle = angle.replacing(with: .pi - angle, where: x .< 0)
        return angle.replacing(with: -angle, where: y .< 0)
    }
}
