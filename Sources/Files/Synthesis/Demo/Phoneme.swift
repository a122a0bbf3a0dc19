internal import DSP

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
