internal import Glibc

/// One channel of an ambisonic signal in the AmbiX convention: ACN order, SN3D normalisation, no Condon-Shortley phase.
///
/// Nachbar, Zotter, Deleflie, Sontacchi, "AmbiX - a suggested ambisonics format", Ambisonics Symposium 2011.
public struct AmbisonicChannel: Sendable, Equatable {
    /// Order, 0 or greater.
    public let order: Int
    /// Degree, -order to order; cos(m azimuth) for positive, sin(|m| azimuth) for negative degrees.
    public let degree: Int

    /// - Parameter number: channel number in the file, from 0.
    public init(number: Int) {
        order = Int(clamping: Double(number).squareRoot())
        degree = number - order * order - order
    }

    /// Number of channels of all orders up to `order`.
    public static func count(order: Int) -> Int { (order + 1) * (order + 1) }

    /// Gain of a horizontal plane wave in this channel, apart from cos(m azimuth) or sin(|m| azimuth).
    public var horizontal: Double {
        let m = abs(degree)
        guard (order - m).isMultiple(of: 2) else { return 0 }
        // The associated Legendre function at 0: P_m^m, then by the recurrence over n in steps of two.
        var legendre = 1.0
        for odd in stride(from: 1, to: 2 * m, by: 2) { legendre *= Double(odd) }
        for n in stride(from: m + 2, through: order, by: 2) { legendre *= -Double(n + m - 1) / Double(n - m) }
        var share = m == 0 ? 1.0 : 2
        for factor in stride(from: order - m + 1, through: order + m, by: 1) { share /= Double(factor) }
        return share.squareRoot() * legendre
    }
}
