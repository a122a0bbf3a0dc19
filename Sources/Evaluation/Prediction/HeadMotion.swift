internal import Foundation

/// What a head does: yaw, pitch and roll in degrees at any time in seconds, made of a few movements.
struct HeadMotion: Sendable {
    private let angles: @Sendable (Double) -> SIMD3<Double>

    init(_ angles: @escaping @Sendable (Double) -> SIMD3<Double>) { self.angles = angles }

    func callAsFunction(_ seconds: Double) -> SIMD3<Double> { angles(seconds) }

    static func + (a: HeadMotion, b: HeadMotion) -> HeadMotion { HeadMotion { a($0) + b($0) } }

    /// One frequency on each axis.
    /// - Parameters:
    ///   - sizes: degrees either way.
    ///   - frequencies: hertz.
    static func swing(_ sizes: SIMD3<Double>, _ frequencies: SIMD3<Double>) -> HeadMotion {
        HeadMotion { seconds in
            var angles = SIMD3<Double>.zero
            for i in 0..<3 { angles[i] = sizes[i] * sin(2 * .pi * frequencies[i] * seconds) }
            return angles
        }
    }

    /// Comes and goes within `period` seconds.
    func swelling(_ period: Double) -> HeadMotion {
        HeadMotion { self($0) * (0.5 - 0.5 * cos(2 * .pi * $0 / period)) }
    }

    /// Sines from `low` to `high` hertz with random phases: what pseudo-random targets make heads do.
    /// - Parameter sizes: degrees, root of twice the mean square.
    static func wander(
        _ sizes: SIMD3<Double>, _ frequencies: ClosedRange<Double>, sines: Int, _ random: inout SeededRandom
    ) -> HeadMotion {
        let (low, high) = (frequencies.lowerBound, frequencies.upperBound)
        var parts: [(frequency: Double, phases: SIMD3<Double>)] = []
        for i in 0..<sines {
            let place = (Double(i) + random.unit()) / Double(sines)
            parts.append((low * pow(high / low, place), SIMD3(random.unit(), random.unit(), random.unit()) * 2 * .pi))
        }
        return sum(parts, sizes)
    }

    /// A swing whose frequency and size waver, as those of tremors and gaits do.
    /// - Parameters:
    ///   - sizes: degrees, root of twice the mean square.
    ///   - width: hertz, standard deviation.
    static func tremor(
        _ sizes: SIMD3<Double>, _ frequency: Double, width: Double, _ random: inout SeededRandom
    ) -> HeadMotion {
        let lags = SIMD3(0, random.unit(), random.unit()) * 2 * .pi
        let parts = (0..<12).map { _ in
            (frequency + width * random.normal(), lags + SIMD3(repeating: random.unit() * 2 * .pi))
        }
        return sum(parts, sizes)
    }

    private static func sum(_ parts: [(frequency: Double, phases: SIMD3<Double>)], _ sizes: SIMD3<Double>) -> HeadMotion {
        let sizes = sizes * (2 / Double(parts.count)).squareRoot()
        return HeadMotion { seconds in
            var angles = SIMD3<Double>.zero
            for (frequency, phases) in parts {
                for i in 0..<3 where sizes[i] != 0 {
                    angles[i] += sizes[i] * sin(2 * .pi * frequency * seconds + phases[i])
                }
            }
            return angles
        }
    }
}
