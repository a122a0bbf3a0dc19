/// The words of the command line.
enum CommandLineWords {
    /// Returns the words with every negative number joined to the long option before it: `--yaw -20` becomes `--yaw=-20`, because the
    /// parser takes a word with a dash for an option, and no option is a number. Nothing after `--` is changed.
    static func joined(_ words: [String]) -> [String] {
        var joined: [String] = []
        for (place, word) in words.enumerated() {
            if let option = joined.last, isNegativeNumber(word), isOption(option), !words[..<place].contains("--") {
                joined[joined.count - 1] = "\(option)=\(word)"
            } else {
                joined.append(word)
            }
        }
        return joined
    }

    private static func isOption(_ word: String) -> Bool { word.hasPrefix("--") && word.count > 2 && !word.contains("=") }

    /// Whether a word begins as a negative number does; `-30,0,2` is a list of numbers.
    private static func isNegativeNumber(_ word: String) -> Bool {
        guard word.hasPrefix("-"), Double(word) == nil else { return word.hasPrefix("-") }
        let digits = word.dropFirst().drop { $0 == "." || $0 == "," }
        return word.count - digits.count <= 2 && digits.first?.isWholeNumber ?? false
    }
}
