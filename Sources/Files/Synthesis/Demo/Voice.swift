internal import DSP
internal import Glibc

extension Demo {
    /// A voice that names the positions of the sources: glottal pulses and noise through five formants in cascade
    /// (after Klatt, JASA 67(3), 1980).
    enum Voice {
        /// Bar, beat, and the words there.
        private static let text: [(Int, Double, String)] = [
            // Hello, and welcome.
            (0, 0.5, "HH AH L OW1 , AE N D W EH1 L K AH M"),
            // You are in the middle.
            (1, 1, "Y UW AA R IH N DH AH M IH1 D AH L"),
            // A small garden.
            (2, 0.5, "AH V AH S M AO1 L G AA1 R D AH N"),
            // Turn your head, and listen.
            (3, 0.5, "T ER1 N Y AO R HH EH1 D , AE N D L IH1 S AH N"),
            // Everything stays where it is.
            (4, 0.5, "EH1 V R IY TH IH NG S T EY1 Z W EH R IH T IH1 Z"),
            // The guitar is on your right.
            (5, 0.5, "DH AH G IH T AA1 R IH Z AA N Y AO R R AY1 T"),
            // The bass is behind you.
            (7, 0.5, "DH AH B EY1 S , IH Z B IH HH AY1 N D Y UW"),
            // The bell is high on the left.
            (8, 0.5, "DH AH B EH1 L IH Z HH AY1 AA N DH AH L EH1 F T"),
            // And I am here, on your left.
            (9, 0.5, "AE N D AY1 AE M HH IH1 R , AA N Y AO R L EH1 F T"),
        ]

        static func play(_ score: Score) -> Loop {
            var loop = Loop(frames: score.frames)
            var noise = SeededRandom(seed: 3)
            for (bar, beat, phonemes) in text where bar < score.bars {
                loop.add(say(Utterance(phonemes), &noise), at: score.frame(bar: bar, beat: beat))
            }
            return loop.levelled(peak: 0.5)
        }

        private static func say(_ utterance: Utterance, _ noise: inout SeededRandom) -> [Double] {
            let frames = Demo.rate / 1000
            var tract = Tract()
            var glottis = Glottis()
            let pause = Phoneme.Aim(milliseconds: 0, formants: [500, 1500, 2500])
            let moments = utterance.moments + Array(repeating: .init(aim: pause, frequency: 90), count: 120)
            return moments.flatMap { moment in
                tract.steer(moment.aim)
                // A natural voice has a slightly unsteady pitch.
                let frequency = moment.frequency * (1 + 0.008 * noise.white())
                return (0..<frames).map { _ in
                    let pulse = glottis.next(frequency)
                    return tract.process(pulse: pulse, open: glottis.isOpen, noise: noise.white())
                }
            }
        }
    }
}
