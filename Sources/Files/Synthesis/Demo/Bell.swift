internal import Glibc

extension Demo {
    /// A small bell, high above the rest.
    enum Bell {
        /// Ratio to the strike note, level, and seconds to fall by 60 dB, of a tuned bell's partials
        /// (hum, prime, tierce, quint, nominal and above).
        private static let partials = [
            (0.5, 0.35, 6.0), (1, 0.5, 4.2), (1.183, 0.4, 3.2), (1.506, 0.2, 2.4), (2, 1, 2.6),
            (2.514, 0.35, 1.4), (2.662, 0.3, 1.3), (3.011, 0.35, 1.1), (4.166, 0.3, 0.7), (5.433, 0.2, 0.45),
        ]
        /// Bar, beat, MIDI note.
        private static let strokes = [
            (0, 3.0, 76), (1, 2.0, 81), (3, 1.0, 79), (3, 2.0, 83), (5, 0.0, 84), (6, 2.0, 79), (7, 1.5, 86),
            (7, 3.0, 83), (9, 1.0, 81), (10, 0.0, 84), (10, 2.5, 79), (11, 2.0, 86),
        ]

        static func play(_ score: Score) -> Loop {
            var loop = Loop(frames: score.frames)
            for (bar, beat, note) in strokes where bar < score.bars {
                loop.add(stroke(frequency(note) / 2), at: score.frame(bar: bar, beat: beat), gain: beat == 0 ? 1 : 0.7)
            }
            return loop.levelled(peak: 1.2)
        }

        /// Returns a stroke; each partial is a slightly detuned pair, which gives the bell its slow beating.
        private static func stroke(_ frequency: Double) -> [Double] {
            let rate = Double(Demo.rate)
            var sound = [Double](repeating: 0, count: Int(clamping: 5 * rate))
            for (index, (ratio, level, seconds)) in partials.enumerated() {
                let fall = exp(-6.9 / (seconds * rate))
                for (share, shift) in [(0.7, 0.0), (0.3, 0.6 + 0.35 * Double(index))] {
                    let step = 2 * .pi * (frequency * ratio + shift) / rate
                    let twice = 2 * cos(step)
                    var (before, here, envelope) = (-sin(step), 0.0, level * share)
                    for frame in 0..<min(sound.count, Int(clamping: 1.3 * seconds * rate)) {
                        sound[frame] += envelope * here
                        envelope *= fall
                        (before, here) = (here, twice * here - before)
                    }
                }
            }
            for frame in sound.indices {
                sound[frame] *= min(1, Double(frame) / 48) * min(1, Double(sound.count - frame) / 24_000)
            }
            return sound
        }
    }
}
