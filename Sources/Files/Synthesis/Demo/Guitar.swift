internal import DSP
internal import Glibc

extension Demo {
    /// A plucked guitar playing broken chords (Karplus and Strong, with the tuning of Jaffe and Smith, CMJ 7(2), 1983).
    enum Guitar {
        /// String of the chord on each eighth of a bar; one row per phrase of four bars.
        private static let patterns = [
            [0, 2, 3, 4, 1, 3, 4, 2],
            [0, 3, 2, 4, 3, 2, 1, 3],
            [0, 2, 4, 3, 4, 2, 3, 1],
        ]
        /// Resonances of the body: frequency, bandwidth, Hz; share.
        private static let body = [(104.0, 22.0, 0.5), (208, 30, 0.6), (415, 60, 0.35), (2300, 900, 0.4)]

        static func play(_ score: Score) -> Loop {
            var loop = Loop(frames: score.frames)
            var noise = SeededRandom(seed: 11)
            for bar in 0..<score.bars {
                let chord = score.chord(bar)
                for (eighth, string) in patterns[bar / 4 % patterns.count].enumerated() {
                    let accent = eighth == 0 ? 1 : eighth == 4 ? 0.85 : noise.between(0.55, 0.75)
                    // Plucks deviate from the beat by a few milliseconds.
                    let frame = score.frame(bar: bar, beat: Double(eighth) / 2) + Int(clamping: noise.between(0, 400))
                    loop.add(pluck(frequency(chord[string]), accent, &noise), at: frame, gain: accent)
                }
            }
            var resonators = body.map { Resonator($0.0, bandwidth: $0.1) }
            loop.filter { sample in
                var sum = sample
                for index in resonators.indices { sum += body[index].2 * resonators[index].band(sample) }
                return sum
            }
            return loop.levelled(peak: 0.6)
        }

        /// - Parameters:
        ///   - frequency: Hz.
        ///   - force: 0 to 1; harder is brighter.
        private static func pluck(_ frequency: Double, _ force: Double, _ noise: inout SeededRandom) -> [Double] {
            let damping = 0.4
            let period = Double(Demo.rate) / frequency
            let length = Int(clamping: period - damping - 0.1)
            let rest = period - damping - Double(length)
            let tuning = (1 - rest) / (1 + rest)
            let fall = pow(0.001, 1 / (frequency * (frequency > 200 ? 2.6 : 3.8)))
            var string = excitation(length, force, &noise)
            var (place, last, tuned, tunedInput) = (0, 0.0, 0.0, 0.0)
            let frames = Int(clamping: 2.6 * Double(Demo.rate))
            return (0..<frames).map { frame in
                let sample = string[place]
                let damped = fall * ((1 - damping) * sample + damping * last)
                last = sample
                tuned = tuning * (damped - tuned) + tunedInput
                tunedInput = damped
                string[place] = tuned
                place = place + 1 == length ? 0 : place + 1
                return sample * min(1, Double(frames - frame) / 4800)
            }
        }

        /// Noise that is softer for a smaller force, with the notches of a finger a seventh of the string from its end.
        private static func excitation(_ length: Int, _ force: Double, _ noise: inout SeededRandom) -> [Double] {
            var soft = 0.0
            let burst = (0..<length).map { _ in
                soft += (0.06 + 0.24 * force) * (noise.white() - soft)
                return soft
            }
            let finger = max(1, length / 7)
            let plucked = burst.indices.map { burst[$0] - burst[($0 + length - finger) % length] }
            let mean = plucked.reduce(0, +) / Double(length)
            return plucked.map { $0 - mean }
        }
    }
}
