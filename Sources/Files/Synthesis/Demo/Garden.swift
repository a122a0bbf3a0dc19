internal import DSP
internal import Glibc

extension Demo {
    /// Background of the scene: wind in the leaves from everywhere, and a brook from one side.
    enum Garden {
        /// Wind from one direction. Gusts are whole periods of the loop, and pass the directions one after another.
        /// - Parameters:
        ///   - direction: radians.
        ///   - seed: a different one for each direction, so that the winds are uncorrelated.
        static func wind(_ score: Score, direction: Double, seed: UInt64) -> Loop {
            var loop = Loop(frames: score.frames)
            var noise = SeededRandom(seed: seed)
            for place in loop.samples.indices { loop.samples[place] = noise.white() }
            var body = Resonator(380, bandwidth: 420)
            var leaves = Resonator(4200, bandwidth: 5000)
            let turn = 2 * .pi / Double(score.frames)
            let runUp = Int(clamping: 0.5 * Double(Demo.rate))
            var frame = score.frames - runUp
            var gust = 0.0
            loop.filter { sample in
                if frame % 64 == 0 {
                    let phase = turn * Double(frame)
                    gust = 0.5 + 0.28 * sin(2 * phase - direction) + 0.2 * sin(5 * phase + 2 * direction)
                    body.tune(260 + 420 * gust, bandwidth: 300 + 300 * gust)
                }
                frame = frame + 1 == score.frames ? 0 : frame + 1
                return 3 * gust * body.band(sample) + 0.35 * gust * gust * leaves.band(sample)
            }
            return loop.levelled()
        }

        /// Air bubbles, each a short tone that rises as it comes up (van den Doel, ACM TAP 2(4), 2005).
        static func brook(_ score: Score) -> Loop {
            var loop = Loop(frames: score.frames)
            var noise = SeededRandom(seed: 53)
            let rate = Double(Demo.rate)
            for _ in 0..<score.frames / 700 {
                let frequency = 450 * pow(9, noise.between(0, 1) * noise.between(0.3, 1))
                let fall = 0.13 * frequency + 0.0072 * pow(frequency, 1.5) / 10
                let rise = noise.between(0, 0.3) * fall
                var phase = 0.0
                let frames = Int(clamping: rate * min(0.12, 6.9 / fall))
                let sound = (0..<frames).map { frame in
                    let time = Double(frame) / rate
                    phase += 2 * .pi * frequency * (1 + rise * time) / rate
                    let edge = min(1, Double(frame) / 24) * min(1, Double(frames - frame) / 96)
                    return sin(phase) * exp(-fall * time) * edge
                }
                let level = pow(noise.between(0.1, 1), 2) * pow(600 / frequency, 0.5)
                loop.add(sound, at: Int(clamping: noise.between(0, Double(score.frames - 1))), gain: level)
            }
            return loop.levelled()
        }
    }
}

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
