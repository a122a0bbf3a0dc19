public import DSP
internal import Glibc

/// Independent, slow computation of the sphere: Hankel functions as finite sums (DLMF 10.49.6), differentiated term by
/// term, and Legendre polynomials as sums of cosines.
public enum SphereOracle {
    /// - Parameters:
    ///   - x: wave number times radius.
    ///   - angle: between the place and the direction of arrival, radians.
    ///   - orders: number of terms.
    public static func pressure(size x: Double, angle: Double, orders: Int) -> Complex {
        var sum = Complex(0)
        for n in 0..<orders {
            let turn = Complex(magnitude: 1, phase: .pi / 2 * Double(n))
            let weight = Double(2 * n + 1) * legendre(n, angle) / (x * x)
            sum = sum + Complex(0, -weight) * turn / hankelSlope(n, x)
        }
        return sum
    }

    /// Derivative of the spherical Hankel function of the second kind of order n at x.
    private static func hankelSlope(_ n: Int, _ x: Double) -> Complex {
        var slope = Complex(0)
        var coefficient = 1.0
        for k in 0...n {
            let power = pow(x, -Double(k + 1))
            let factor = Complex(magnitude: coefficient, phase: .pi / 2 * Double(k - n - 1))
            slope = slope + factor * Complex(-Double(k + 1) * power / x, power)
            coefficient *= Double((n + k + 1) * (n - k)) / (2 * Double(k + 1))
        }
        let first = slope * Complex(magnitude: 1, phase: x)
        return Complex(first.re, -first.im)
    }

    private static func legendre(_ n: Int, _ angle: Double) -> Double {
        (0...n).reduce(0) { sum, k in
            sum + half(k) * half(n - k) * cos(Double(n - 2 * k) * angle)
        }
    }

    /// (2k-1)!! / (2k)!!
    private static func half(_ k: Int) -> Double {
        var product = 1.0
        for step in 0..<k { product *= (Double(step) + 0.5) / Double(step + 1) }
        return product
    }
}
