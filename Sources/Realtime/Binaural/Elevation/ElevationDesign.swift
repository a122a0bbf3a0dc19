internal import DSP
internal import Glibc

/// Filters that extract one degree from a circular harmonic of the ring, for sources in the ring's plane.
///
/// The exact filter of the term (m, n) is a_n s_mn / sum over n of a_n s_mn, with the sphere's weights a_n and the shares s_mn of
/// ``ElevationTerms``. It is approximated by least squares with `ElevationFilters.taps` taps. Towards a product of wave number and radius
/// of ``edge`` (2.5 kHz at the standard radius) the target falls to zero: above the crossover an ear is rendered at its azimuth in the
/// plane, and the delays of both bands have to agree where they meet.
struct ElevationDesign: Sendable {
    /// Product of wave number and radius at which half of the correction is left.
    static let edge = 4.0
    /// Product of wave number and radius at which the microphones' sound has fallen by 6 dB for the fit.
    private static let reach = 12.8
    /// Penalty of a tap's square, relative to the sum of all weights: limits the gain of the microphones' noise.
    private static let penalty = 1e-4
    private static let lines = 120
    private static let line = 0.16

    /// The taps of each term, that of the oldest sample first.
    let taps: [[Float]]

    /// - Parameter spacing: time between two taps, in units of radius over speed of sound.
    init(spacing: Double) {
        let sizes = (1...Self.lines).map { Double($0) * Self.line }.filter { $0 < .pi / spacing }
        let modes = sizes.map { SphereModes(size: $0) }
        let weights = sizes.map(Self.weight)
        let penalty = Self.penalty * weights.reduce(0, +)
        let count = ElevationFilters.taps
        let cosines = sizes.map { size in (0..<count).map { cos(size * spacing * Double($0)) } }
        let turns = sizes.map { size in
            (0..<count).map { Complex(magnitude: 1, phase: size * spacing * Double($0 - ElevationFilters.ahead)) }
        }
        taps = (0...ElevationTerms.orders).flatMap { m in
            let orders = modes.map { mode in Self.harmonic(m, mode) }
            let emphasis = zip(weights, orders).map { $0 * ($1.re * $1.re + $1.im * $1.im + 1e-3) }
            let correlation = (0..<count).map { lag in
                cosines.indices.reduce(lag == 0 ? penalty : 0) { $0 + emphasis[$1] * cosines[$1][lag] }
            }
            let system = SymmetricSystem((0..<count).map { row in (0..<count).map { correlation[abs(row - $0)] } })
            let degrees = ElevationTerms.degrees(order: m)
            let targets = degrees.map { n in
                sizes.indices.map { line in
                    let share = ElevationTerms.share(order: m, degree: n) * modes[line].weight(n) / orders[line]
                    return emphasis[line] * Self.fade(sizes[line]) * share
                }
            }
            let right = (0..<count).map { tap in
                targets.map { target in
                    target.indices.reduce(0.0) {
                        $0 + target[$1].re * turns[$1][tap].re - target[$1].im * turns[$1][tap].im
                    }
                }
            }
            let solved = system.solve(right)
            return degrees.indices.map { term in (0..<count).map { Float(solved[count - 1 - $0][term]) } }
        }
    }

    /// Pressure of an order on the equator, of a source in its plane.
    private static func harmonic(_ m: Int, _ modes: SphereModes) -> Complex {
        stride(from: m, to: max(modes.count, m + 1), by: 2).reduce(Complex(0)) {
            $0 + ElevationTerms.share(order: m, degree: $1) * modes.weight($1)
        }
    }

    /// Share of the correction at a product of wave number and radius.
    private static func fade(_ size: Double) -> Double { 1 / (1 + pow(size / edge, 6)) }

    /// Assumed power of the microphones' sound at a product of wave number and radius, by equivalent rectangular bandwidths at the standard
    /// radius.
    private static func weight(_ size: Double) -> Double {
        let hertz = size * Double(MicrophoneArray.speedOfSound) / (2 * .pi * MicrophoneArray.standardRadius)
        let low = 1 / (1 + pow(size / reach, 4))
        return low * low / (24.7 * (0.00437 * hertz + 1))
    }
}
