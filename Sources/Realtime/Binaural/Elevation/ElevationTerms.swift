internal import CRealtime
internal import Glibc

/// The spherical harmonics by which circular harmonics of the ring continue above and below its plane.
///
/// A source in the ring's plane gives the circular harmonic of order m as a sum over the degrees n = m, m + 2, ..., and each
/// degree follows the elevation e as P_n^m(sin e) / P_n^m(0). A term is one degree of one order. Each term with m = 0 has
/// one row of sound, every other term one for the cosine and one for the sine.
public enum ElevationTerms {
    /// Highest order. Higher ones carry no sound where the correction is exact.
    public static var orders: Int { @_noLocks @_noAllocation @inlinable get { 6 } }
    /// Number of circular harmonics: 1, cos a, sin a, cos 2a, ...
    public static var functions: Int { @_noLocks @_noAllocation @inlinable get { 2 * orders + 1 } }
    /// Highest degree.
    static let degrees = 8
    /// Number of terms.
    public static var count: Int { @_noLocks @_noAllocation @inlinable get { 22 } }
    /// Number of rows of sound.
    public static var rows: Int { @_noLocks @_noAllocation @inlinable get { 40 } }

    /// Number of terms of an order. The term n = m = 0 is missing: it does not change with the elevation.
    @_noLocks @_noAllocation @inlinable
    public static func count(order m: Int) -> Int { m == 0 ? 4 : 5 &- m / 2 &- m % 2 }

    /// Degrees of the terms of an order, rising.
    static func degrees(order m: Int) -> [Int] { stride(from: max(m, m == 0 ? 2 : m), through: degrees, by: 2).map { $0 } }

    /// Returns P_n^m(sine) / P_n^m(0); `n` - `m` is even.
    static func ratio(order m: Int, degree n: Int, sine: Double) -> Double {
        legendre(m, n, sine) / legendre(m, n, 0)
    }

    /// Returns (n - m)! / (n + m)! P_n^m(0)^2: the share of the sphere's term n in the order m on the equator.
    static func share(order m: Int, degree n: Int) -> Double {
        let value = legendre(m, n, 0)
        return (n - m + 1..<n + m + 1).reduce(value * value) { $0 / Double($1) }
    }

    /// The associated Legendre function without the sign (-1)^m.
    private static func legendre(_ m: Int, _ n: Int, _ x: Double) -> Double {
        var here = (0..<m).reduce(1.0) { $0 * Double(2 * $1 + 1) } * pow(1 - x * x, Double(m) / 2)
        var before = 0.0
        for degree in m + 1..<max(m, n) + 1 {
            let next = (Double(2 * degree - 1) * x * here - Double(degree + m - 1) * before) / Double(degree - m)
            (before, here) = (here, next)
        }
        return here
    }
}
