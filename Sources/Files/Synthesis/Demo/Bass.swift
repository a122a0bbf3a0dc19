internal import DSP
internal import Glibc

extension Demo {
    /// A bass line on the roots, with enough overtones to be heard and placed by small headphones.
    enum Bass {
        /// Beat, length in beats, and semitones above the root.
        private static let patterns: [[(Double, Double, Int)]] = [
            [(0, 1.3, 0), (1.5, 0.45, 0), (2, 1.2, 7), (3.5, 0.45, 12)],
            [(0, 0.9, 0), (1, 0.4, 12), (1.5, 0.9, 7), (2.5, 0.45, 0), (3, 0.9, 7)],
        ]
        private static let overtones = 16

        static func play(_ score: Score) -> Loop {
            var loop = Loop(frames: score.frames)
            var noise = SeededRandom(seed: 23)
            for bar in 0..<score.bars {
                let lowest = score.chord(bar)[0]
                let root = lowest >= 45 ? lowest - 12 : lowest
                for (beat, length, interval) in patterns[bar % 4 == 3 ? 1 : 0] {
                    let tone = note(frequency(root + interval), seconds: length * 60 / 90, &noise)
                    loop.add(tone, at: score.frame(bar: bar, beat: beat), gain: beat == 0 ? 1 : 0.8)
                }
            }
            return loop.levelled(peak: 0.5)
        }

        /// Overtones that fall off the faster the higher they are, after the noise of the finger.
        private static func note(_ frequency: Double, seconds: Double, _ noise: inout SeededRandom) -> [Double] {
            let rate = Double(Demo.rate)
            let frames = Int(clamping: (seconds + 0.08) * rate)
            var levels = (1...overtones).map { sin(0.8 * Double($0)) / pow(Double($0), 0.9) }
            let falls = (1...overtones).map { exp(-(1.1 + 0.42 * Double($0)) / rate) }
            var finger = Resonator(900, bandwidth: 700)
            let step = 2 * .pi * frequency / rate
            return (0..<frames).map { frame in
                let time = Double(frame) / rate
                let phase = step * Double(frame)
                let twice = 2 * cos(phase)
                var (before, here, sum) = (0.0, sin(phase), 0.0)
                for overtone in 0..<overtones {
                    sum += levels[overtone] * here
                    levels[overtone] *= falls[overtone]
                    (before, here) = (here, twice * here - before)
                }
                let touch = finger.band(noise.white()) * 1.6 * exp(-time / 0.012)
                let edge = min(1, time / 0.004) * min(1, Double(frames - frame) / (0.08 * rate))
                return (sum + touch) * edge
            }
        }
    }
}
