internal import Glibc

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
