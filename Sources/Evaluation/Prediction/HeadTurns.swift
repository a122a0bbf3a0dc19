/// Quick turns from one thing to the next, with rests between them, some corrected on the way.
///
/// Each is of minimum jerk (Flash and Hogan, Journal of Neuroscience 5, 1985), the bell of speed that head movements
/// are composed of (Chen, Lee, Fukushima and Fukushima, PLoS ONE 7:e47565, 2012); the larger, the faster, as in the main
/// sequence of head movements (Zangemeister, Jones and Stark, Experimental Neurology 71, 1981).
struct HeadTurns: Sendable {
    /// Degrees.
    var sizes: ClosedRange<Double>
    /// Seconds.
    var rests: ClosedRange<Double>
    /// Degrees to either side.
    var limit: Double
    /// Degrees per second, however large the turn.
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

    /// Degrees per second at the middle of a turn: 1.875 times its mean.
    private func peak(_ size: Double) -> Double { min(fastest, 60 + 4.5 * size) }

    func motion(seconds: Double, _ random: inout SeededRandom) -> HeadMotion {
        var turns: [Turn] = []
        var (time, head) = (0.5, SIMD3<Double>.zero)
        while time < seconds {
            let size = random.within(sizes)
            var yaw = head.x + (random.unit() < 0.5 ? size : -size)
            if abs(yaw) > limit { yaw = 2 * head.x - yaw }
            let pitch = max(-30, min(30, head.y + random.normal() * 0.15 * size))
            // Heads lean into turns a little.
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
