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

/// Quick turns between targets, with rests between them, some corrected during the turn.
///
/// Each turn has minimum jerk (Flash and Hogan, Journal of Neuroscience 5, 1985), the bell-shaped speed profile of head
/// movements (Chen, Lee, Fukushima and Fukushima, PLoS ONE 7:e47565, 2012); larger turns are faster, as in the main
/// sequence of head movements (Zangemeister, Jones and Stark, Experimental Neurology 71, 1981).
struct HeadTurns: Sendable {
    /// Sizes of turns in degrees.
    var sizes: ClosedRange<Double>
    /// Durations of rests in seconds.
    var rests: ClosedRange<Double>
    /// Largest yaw to either side in degrees.
    var limit: Double
    /// Highest speed in degrees per second.
    var fastest = 500.0

    private struct Turn: Sendable {
        var begin: Double
        var seconds: Double
        var way: SIMD3<Double>

        func angles(_ time: Double) -> SIMD3<Double> {
            let x = min(1, max(0, (time - begin) / seconds))
            return way * (x * x * x * (10 - 15 * x + 6 * x * x))
        }
    }

    /// Returns the peak speed of a turn in degrees per second, 1.875 times its mean.
    private func peak(_ size: Double) -> Double { min(fastest, 60 + 4.5 * size) }

    func motion(seconds: Double, _ random: inout SeededRandom) -> HeadMotion {
        var turns: [Turn] = []
        var (time, head) = (0.5, SIMD3<Double>.zero)
        while time < seconds {
            let size = random.within(sizes)
            var yaw = head.x + (random.unit() < 0.5 ? size : -size)
            if abs(yaw) > limit { yaw = 2 * head.x - yaw }
            let pitch = max(-30, min(30, head.y + random.normal() * 0.15 * size))
            // The head rolls slightly into a turn.
            let way = SIMD3(yaw - head.x, pitch - head.y, -0.08 * (yaw - head.x))
            let length = (way * way).sum().squareRoot()
            let turn = Turn(begin: time, seconds: 1.875 * length / peak(length), way: way)
            turns.append(turn)
            if random.unit() < 0.3 {
                let part = 0.1 * (2 * random.unit() - 1)
                let least = 1.875 * abs(part) * length / peak(abs(part) * length)
                turns.append(Turn(begin: time + 0.8 * turn.seconds, seconds: max(0.15, least), way: way * part))
            }
            head = SIMD3(yaw, pitch, 0)
            time += turn.seconds + random.within(rests)
        }
        let made = turns
        return HeadMotion { seconds in
            made.reduce(SIMD3<Double>.zero) { $1.begin < seconds ? $0 + $1.angles(seconds) : $0 }
        }
    }
}
