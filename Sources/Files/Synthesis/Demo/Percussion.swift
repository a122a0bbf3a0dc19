internal import DSP
internal import Glibc

extension Demo {
    /// A hand drum with a woodblock above it.
    enum Percussion {
        /// Sixteenths of a bar. B: middle of the skin, o: open edge, s: slap, t: finger tip.
        private static let drum = [Array("B..to.ts..B.o.t."), Array("B..to.ts.oB.s.oo")]
        private static let block = [Array("...x..x.....x..."), Array("...x..x...x.x.x.")]

        static func play(_ score: Score) -> Loop {
            var loop = Loop(frames: score.frames)
            var noise = SeededRandom(seed: 37)
            for bar in 0..<score.bars {
                let fill = bar % 4 == 3 ? 1 : 0
                for sixteenth in 0..<16 {
                    let frame = score.frame(bar: bar, beat: Double(sixteenth) / 4) + Int(clamping: noise.between(0, 240))
                    let force = noise.between(0.8, 1)
                    switch drum[fill][sixteenth] {
                    case "B": loop.add(skin(82, fall: 0.22, slap: 0.35, &noise), at: frame, gain: 0.8 * force)
                    case "o": loop.add(skin(196, fall: 0.16, slap: 0.6, &noise), at: frame, gain: force)
                    case "s": loop.add(skin(230, fall: 0.05, slap: 2.2, &noise), at: frame, gain: 0.9 * force)
                    case "t": loop.add(skin(210, fall: 0.03, slap: 0.7, &noise), at: frame, gain: 0.35 * force)
                    default: break
                    }
                    if block[fill][sixteenth] == "x" { loop.add(wood(&noise), at: frame, gain: 0.9 * force) }
                }
            }
            return loop.levelled(peak: 0.7)
        }

        /// The first modes of a round membrane, stretched a little by the blow, and the hand's noise.
        private static func skin(_ frequency: Double, fall: Double, slap: Double, _ noise: inout SeededRandom) -> [Double] {
            let rate = Double(Demo.rate)
            let modes = [(1.0, 1.0, 1.0), (1.593, 0.5, 0.6), (2.136, 0.35, 0.45), (2.653, 0.2, 0.3)]
            var phases = modes.map { _ in 0.0 }
            var hand = Resonator(1900, bandwidth: 1800)
            return (0..<Int(clamping: rate * (fall * 7 + 0.1))).map { frame in
                let time = Double(frame) / rate
                let stretch = 1 + 0.28 * exp(-time / 0.018)
                var sum = 0.0
                for (index, mode) in modes.enumerated() {
                    phases[index] += 2 * .pi * frequency * mode.0 * stretch / rate
                    sum += mode.1 * exp(-time / (fall * mode.2)) * sin(phases[index])
                }
                let noise = hand.band(noise.white()) * slap * exp(-time / 0.014) * 2
                return (sum + noise) * min(1, time / 0.0008)
            }
        }

        private static func wood(_ noise: inout SeededRandom) -> [Double] {
            let rate = Double(Demo.rate)
            return (0..<Int(clamping: 0.3 * rate)).map { frame in
                let time = Double(frame) / rate
                let body = sin(2 * .pi * 1046 * time) * exp(-time / 0.028)
                let second = 0.6 * sin(2 * .pi * 1710 * time) * exp(-time / 0.016)
                return body + second + 0.7 * noise.white() * exp(-time / 0.0012)
            }
        }
    }
}

extension Demo {
    /// A shaker on every sixteenth, forward strokes louder than backward ones.
    enum Shaker {
        private static let strokes = [1, 0.3, 0.55, 0.35, 0.9, 0.3, 0.6, 0.4, 1, 0.3, 0.55, 0.35, 0.9, 0.35, 0.7, 0.5]

        static func play(_ score: Score) -> Loop {
            var loop = Loop(frames: score.frames)
            var noise = SeededRandom(seed: 41)
            for bar in 0..<score.bars {
                for (sixteenth, level) in strokes.enumerated() {
                    // The grains begin before the beat and hit the wall on it.
                    let frame = score.frame(bar: bar, beat: Double(sixteenth) / 4) - 1200
                    let early = Int(clamping: noise.between(-150, 150))
                    loop.add(stroke(&noise), at: frame + early, gain: level * noise.between(0.85, 1))
                }
            }
            var low = Resonator(5600, bandwidth: 2600)
            var high = Resonator(9800, bandwidth: 4000)
            loop.filter { low.band($0) + 0.8 * high.band($0) }
            return loop.levelled(peak: 0.9)
        }

        /// Hundreds of grains, most of them at the end of the stroke.
        private static func stroke(_ noise: inout SeededRandom) -> [Double] {
            let rate = Double(Demo.rate)
            return (0..<Int(clamping: 0.14 * rate)).map { frame in
                let time = Double(frame) / rate - 0.025
                let density = time < 0 ? exp(time / 0.009) : exp(-time / 0.022)
                let grain = noise.white()
                return density * (abs(grain) > 0.55 ? grain : 0.25 * grain)
            }
        }
    }
}
