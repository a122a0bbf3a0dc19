internal import DSP
internal import Glibc

extension Demo {
    /// Two birds: one chatters high up, one whistles a call of three notes.
    enum Birds {
        /// - Parameter seed: seed of the bird's timing.
        static func chatter(_ score: Score, seed: UInt64) -> Loop {
            var loop = Loop(frames: score.frames)
            var noise = SeededRandom(seed: seed)
            for bar in stride(from: 0, to: score.bars, by: 2) {
                var frame = score.frame(bar: bar, beat: noise.between(0, 5))
                let home = noise.between(3600, 4600)
                for _ in 0..<Int(clamping: noise.between(4, 10)) {
                    let from = home * noise.between(0.8, 1.3)
                    let seconds = noise.between(0.035, 0.11)
                    let to = home * noise.between(0.8, 1.4)
                    let chirp = sweep(from, to, seconds: seconds, trill: noise.between(0, 300))
                    loop.add(chirp, at: frame, gain: noise.between(0.5, 1))
                    frame += Int(clamping: (seconds + noise.between(0.03, 0.09)) * Double(Demo.rate))
                }
            }
            return loop.levelled()
        }

        static func whistle(_ score: Score, seed: UInt64) -> Loop {
            var loop = Loop(frames: score.frames)
            var noise = SeededRandom(seed: seed)
            for bar in stride(from: 1, to: score.bars, by: 3) {
                let frame = score.frame(bar: bar, beat: noise.between(0.5, 3))
                for (place, note) in [(0.0, 1.0), (0.34, 1.19), (0.62, 0.89)] {
                    let tone = sweep(2350 * note, 2350 * note * 0.97, seconds: 0.26, trill: 18)
                    loop.add(tone, at: frame + Int(clamping: place * Double(Demo.rate)))
                }
            }
            return loop.levelled()
        }

        /// A tone that glides from one frequency to another, Hz, wavering by `trill` Hz.
        private static func sweep(_ from: Double, _ to: Double, seconds: Double, trill: Double) -> [Double] {
            let frames = Int(clamping: seconds * Double(Demo.rate))
            var phase = 0.0
            return (0..<frames).map { frame in
                let share = Double(frame) / Double(frames)
                let waver = trill * sin(2 * .pi * 28 * Double(frame) / Double(Demo.rate))
                phase += 2 * .pi * (from * pow(to / from, share) + waver) / Double(Demo.rate)
                let swell = pow(sin(.pi * share), 1.5)
                return swell * (sin(phase) + 0.12 * sin(2 * phase))
            }
        }
    }
}
