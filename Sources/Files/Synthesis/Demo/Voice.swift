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

extension Demo {
    /// A sentence as controls of the voice, one target per millisecond, with its intonation.
    struct Utterance {
        struct Moment {
            var aim: Phoneme.Aim
            /// Fundamental frequency of the voice, Hz.
            var frequency: Double
        }

        var moments: [Moment] = []

        /// - Parameter phonemes: separated by spaces; a vowel followed by 1 is stressed.
        init(_ phonemes: String, frequency base: Double = 112) {
            let symbols = phonemes.split(separator: " ")
            let last = symbols.lastIndex { Phoneme($0.prefix { $0.isLetter })?.isVowel == true } ?? 0
            var stresses: [Bool] = []
            for (index, symbol) in symbols.enumerated() {
                guard let phoneme = Phoneme(symbol == "," ? symbol : symbol.prefix { $0.isLetter }) else { continue }
                let stressed = symbol.last == "1"
                // Stress, and the end of the sentence, take time.
                let stretch = (stressed ? 1.55 : phoneme.isVowel ? 0.95 : 1) * (index >= last ? 1.45 : 1)
                for aim in phoneme.aims {
                    let length = Int(clamping: (aim.milliseconds * (phoneme.isVowel || index >= last ? stretch : 1)).rounded())
                    moments += Array(repeating: Moment(aim: aim, frequency: 0), count: length)
                    stresses += Array(repeating: stressed, count: length)
                }
            }
            intone(base, stresses)
        }

        /// Falls over the sentence and rises on stressed syllables, both smoothly (after Fujisaki).
        private mutating func intone(_ base: Double, _ stresses: [Bool]) {
            var (first, second) = (0.0, 0.0)
            for place in moments.indices {
                let share = Double(place) / Double(moments.count)
                first += ((stresses[place] ? 1 : 0) - first) / 45
                second += (first - second) / 45
                let fall = 1.16 - 0.26 * share - (share > 0.85 ? 0.6 * (share - 0.85) : 0)
                moments[place].frequency = base * fall * (1 + 0.42 * second)
            }
        }
    }
}

extension Demo {
    /// A speech sound as targets of the vocal tract, one segment after another.
    struct Phoneme {
        /// One steady target of the voice's controls.
        struct Aim {
            var milliseconds: Double
            /// First three formants, Hz.
            var formants: SIMD3<Double>
            /// Level of the glottis, 0 to 1.
            var voice = 0.0
            /// Level of noise through the whole tract, 0 to 1.
            var breath = 0.0
            /// Level of noise at a constriction, 0 to 1, and the frequency of its peak in Hz.
            var hiss = 0.0
            var hissFrequency = 5000.0
        }

        var aims: [Aim]
        var isVowel: Bool

        /// - Parameter symbol: as in the CMU pronouncing dictionary; a comma is a pause.
        init?(_ symbol: Substring) {
            if let vowel = Self.vowels[symbol] {
                let length = 85 / Double(vowel.count)
                aims = vowel.map { Aim(milliseconds: length, formants: $0, voice: 1) }
                isVowel = true
            } else if let consonant = Self.consonants[symbol] {
                aims = consonant
                isVowel = false
            } else {
                return nil
            }
        }

        /// Male vowel formants: Peterson and Barney, JASA 24(2), 1952. Two targets form a diphthong.
        private static let vowels: [Substring: [SIMD3<Double>]] = [
            "IY": [[270, 2290, 3010]], "IH": [[390, 1990, 2550]], "EH": [[530, 1840, 2480]],
            "AE": [[660, 1720, 2410]], "AA": [[730, 1090, 2440]], "AO": [[570, 840, 2410]],
            "UH": [[440, 1020, 2240]], "UW": [[300, 870, 2240]], "AH": [[600, 1190, 2390]],
            "ER": [[490, 1350, 1690]],
            "AY": [[730, 1150, 2440], [390, 1990, 2550]], "EY": [[530, 1840, 2480], [300, 2200, 2800]],
            "OW": [[540, 950, 2400], [350, 850, 2250]], "AW": [[720, 1200, 2440], [420, 950, 2240]],
        ]

        private static let lips: SIMD3<Double> = [280, 900, 2200]
        private static let teeth: SIMD3<Double> = [290, 1700, 2600]
        private static let palate: SIMD3<Double> = [280, 2000, 2400]

        private static let consonants: [Substring: [Aim]] = [
            ",": [Aim(milliseconds: 170, formants: [500, 1500, 2500])],
            "L": [Aim(milliseconds: 65, formants: [330, 1050, 2800], voice: 0.55)],
            "R": [Aim(milliseconds: 65, formants: [320, 1060, 1400], voice: 0.6)],
            "W": [Aim(milliseconds: 65, formants: [290, 640, 2150], voice: 0.55)],
            "Y": [Aim(milliseconds: 55, formants: [260, 2150, 3000], voice: 0.55)],
            "M": [Aim(milliseconds: 70, formants: [250, 1000, 2200], voice: 0.4)],
            "N": [Aim(milliseconds: 60, formants: [250, 1550, 2500], voice: 0.4)],
            "NG": [Aim(milliseconds: 65, formants: [250, 2000, 2500], voice: 0.4)],
            "HH": [Aim(milliseconds: 60, formants: [500, 1500, 2500], breath: 0.5)],
            "S": [Aim(milliseconds: 105, formants: teeth, hiss: 0.55, hissFrequency: 6600)],
            "Z": [Aim(milliseconds: 70, formants: teeth, voice: 0.4, hiss: 0.3, hissFrequency: 6400)],
            "F": [Aim(milliseconds: 85, formants: lips, hiss: 0.16, hissFrequency: 7500)],
            "TH": [Aim(milliseconds: 80, formants: [300, 1400, 2500], hiss: 0.12, hissFrequency: 6200)],
            "V": [Aim(milliseconds: 55, formants: lips, voice: 0.4, hiss: 0.06, hissFrequency: 7000)],
            "DH": [Aim(milliseconds: 42, formants: [300, 1400, 2500], voice: 0.4, hiss: 0.05, hissFrequency: 6000)],
            "SH": [Aim(milliseconds: 100, formants: palate, hiss: 0.6, hissFrequency: 3300)],
            "B": [
                Aim(milliseconds: 55, formants: lips, voice: 0.16),
                Aim(milliseconds: 8, formants: lips, voice: 0.5, hiss: 0.25, hissFrequency: 1000),
            ],
            "D": [
                Aim(milliseconds: 42, formants: teeth, voice: 0.16),
                Aim(milliseconds: 10, formants: teeth, voice: 0.4, hiss: 0.4, hissFrequency: 4200),
            ],
            "G": [
                Aim(milliseconds: 50, formants: palate, voice: 0.16),
                Aim(milliseconds: 16, formants: palate, voice: 0.4, hiss: 0.4, hissFrequency: 2100),
            ],
            "P": [
                Aim(milliseconds: 70, formants: lips),
                Aim(milliseconds: 8, formants: lips, hiss: 0.4, hissFrequency: 1100),
                Aim(milliseconds: 40, formants: lips, breath: 0.45),
            ],
            "T": [
                Aim(milliseconds: 55, formants: teeth),
                Aim(milliseconds: 14, formants: teeth, hiss: 0.65, hissFrequency: 4600),
                Aim(milliseconds: 34, formants: teeth, breath: 0.4, hiss: 0.08, hissFrequency: 5000),
            ],
            "K": [
                Aim(milliseconds: 60, formants: palate),
                Aim(milliseconds: 20, formants: palate, hiss: 0.6, hissFrequency: 2300),
                Aim(milliseconds: 34, formants: palate, breath: 0.45),
            ],
        ]
    }
}
