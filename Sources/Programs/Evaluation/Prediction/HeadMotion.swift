internal import DSP
internal import Foundation

/// Motion of a head: yaw, pitch and roll in degrees at any time in seconds, made of a few movements.
struct HeadMotion: Sendable {
    private let angles: @Sendable (Double) -> SIMD3<Double>

    init(_ angles: @escaping @Sendable (Double) -> SIMD3<Double>) { self.angles = angles }

    func callAsFunction(_ seconds: Double) -> SIMD3<Double> { angles(seconds) }

    static func + (a: HeadMotion, b: HeadMotion) -> HeadMotion { HeadMotion { a($0) + b($0) } }

    /// Returns a sinusoidal motion with one frequency on each axis.
    /// - Parameters:
    ///   - sizes: amplitudes in degrees.
    ///   - frequencies: hertz.
    static func swing(_ sizes: SIMD3<Double>, _ frequencies: SIMD3<Double>) -> HeadMotion {
        HeadMotion { seconds in
            var angles = SIMD3<Double>.zero
            for i in 0..<3 { angles[i] = sizes[i] * sin(2 * .pi * frequencies[i] * seconds) }
            return angles
        }
    }

    /// Returns the motion, faded in and out with a period of `period` seconds.
    func swelling(_ period: Double) -> HeadMotion {
        HeadMotion { self($0) * (0.5 - 0.5 * cos(2 * .pi * $0 / period)) }
    }

    /// Returns a sum of sines from `low` to `high` Hz with random phases, as in tracking of pseudo-random targets.
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

    /// Returns a swing whose frequency and amplitude fluctuate, as in tremor and gait.
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
