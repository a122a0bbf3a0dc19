internal import DSP
internal import Glibc

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
