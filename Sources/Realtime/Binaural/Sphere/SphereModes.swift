public import DSP
internal import Glibc

/// A rigid sphere at one frequency: the weight of each Legendre polynomial in its surface pressure.
public struct SphereModes: Sendable {
    /// Weight of P_n at index n.
    private let weights: [Complex]

    /// Number of weights; all further ones are negligible.
    var count: Int { weights.count }

    /// Weight of P_n.
    func weight(_ n: Int) -> Complex { n < weights.count ? weights[n] : Complex(0) }

    /// Size below which the first two terms are exact in double precision.
    private static let small = 1e-8

    /// - Parameter size: wave number times radius; zero or greater, to about 10000.
    public init(size x: Double) {
        precondition(x >= 0 && x.isFinite, "the product of wave number and radius must be finite and not negative")
        guard x > Self.small else {
            weights = [Complex(1), Complex(0, 1.5 * x)]
            return
        }
        // The second-kind solution grows with n, so that the upward recurrence is stable for the pair.
        var before = Complex(sin(x) / x, cos(x) / x)
        var here = Complex(sin(x) / (x * x) - cos(x) / x, cos(x) / (x * x) + sin(x) / x)
        var weights = [Self.turn(1) * (Complex(-1 / (x * x)) / (Complex(0) - here))]
        var n = 1
        while n < Int(clamping: 1.2 * x) + 60 {
            let slope = before - Double(n + 1) / x * here
            let weight = Self.turn(n + 1) * (Complex(-Double(2 * n + 1) / (x * x)) / slope)
            weights.append(weight)
            if Double(n) > x && weight.magnitude < 1e-17 { break }
            (before, here) = (here, Double(2 * n + 1) / x * here - before)
            n += 1
        }
        self.weights = weights
    }

    /// Pressure at a place.
    ///
    /// - Parameter cosine: cosine of the angle to the direction of arrival, -1 to 1.
    public func pressure(cosine: Double) -> Complex {
        var sum = weights[0] + cosine * weights[1]
        var before = 1.0
        var here = cosine
        for n in 2..<max(2, weights.count) {
            let order = Double(n)
            (before, here) = (here, ((2 * order - 1) * cosine * here - (order - 1) * before) / order)
            sum = sum + here * weights[n]
        }
        return sum
    }

    /// i to the power n.
    private static func turn(_ n: Int) -> Complex {
        switch n & 3 {
        case 0: Complex(1)
        case 1: Complex(0, 1)
        case 2: Complex(-1)
        default: Complex(0, -1)
        }
    }
}
