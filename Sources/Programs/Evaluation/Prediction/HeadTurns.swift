internal import DSP

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
