internal import Foundation

/// The sound files of a folder that are microphones by their names: those whose names differ by a number or a single letter only.
///
/// A mix, a slate or a copy beside them would otherwise become a microphone.
struct MicrophoneNames {
    /// The reason why no files can be chosen.
    struct Problem: Error {
        let text: String
    }

    /// In the order in which they were given.
    let microphones: [String]
    /// Names that differ from those by more.
    let others: [String]

    /// - Parameters:
    ///   - names: in natural order.
    ///   - least: number of microphones that a recording has at least.
    init(_ names: [String], least: Int) throws(Problem) {
        let groups = Dictionary(grouping: names.map(Name.init), by: \.shape).values.sorted { $0.count > $1.count }
        guard let most = groups.first, most.count >= least else {
            let some = names.prefix(3).joined(separator: ", ")
            throw Problem(text: "the names of its sound files differ by more than a number (\(some), …)")
        }
        if groups.count > 1, groups[1].count == most.count {
            throw Problem(text: "it holds several series of files, such as \(Self.list([most[0].text, groups[1][0].text]))")
        }
        if let (one, other) = Self.twins(most) {
            let reason = one.values == other.values ? "have the same number" : "belong to different series"
            throw Problem(text: "\(Self.list([one.text, other.text])) \(reason)")
        }
        let chosen = Set(most.map(\.text))
        microphones = names.filter(chosen.contains)
        others = names.filter { !chosen.contains($0) }
    }

    /// Names in a sentence: "a, b and c".
    static func list(_ names: [String]) -> String {
        names.count < 2 ? names.first ?? "" : "\(names.dropLast().joined(separator: ", ")) and \(names[names.count - 1])"
    }

    /// Two names that no single number, letter, or letter and number side by side, distinguishes; nil where one distinguishes all.
    private static func twins(_ names: [Name]) -> (Name, Name)? {
        let places = names[0].values.indices
        func key(_ name: Name, _ place: Int) -> [String] { [name.values[place]] }
        func pair(_ name: Name, _ place: Int) -> [String] { [name.values[place], name.values[place + 1]] }
        func areDistinct(_ key: (Name) -> [String]) -> Bool { Set(names.map(key)).count == names.count }
        if places.contains(where: { place in areDistinct { key($0, place) } }) { return nil }
        let pairs = places.dropLast().filter { place in names.allSatisfy { $0.joined.contains(place + 1) } }
        if pairs.contains(where: { place in areDistinct { pair($0, place) } }) { return nil }
        for (index, name) in names.enumerated() {
            if let equal = names[..<index].first(where: { $0.values == name.values }) { return (equal, name) }
        }
        let varying = places.last { place in Set(names.map { $0.values[place] }).count > 1 } ?? 0
        for (index, name) in names.enumerated() {
            if let equal = names[..<index].first(where: { key($0, varying) == key(name, varying) }) { return (equal, name) }
        }
        return names.count > 1 ? (names[0], names[1]) : nil
    }

    /// A name in its parts: what all microphones have in common, and what differs.
    private struct Name {
        let text: String
        /// The name in lower case without its ending and separators, with # for numbers and @ for single letters.
        let shape: String
        /// Numbers without leading zeros, with the sign before them, and single letters.
        let values: [String]
        /// Places in ``values`` that follow the previous one immediately.
        let joined: Set<Int>

        init(_ text: String) {
            self.text = text
            var (shape, values, joined) = ("", [String](), Set<Int>())
            var rest = (text as NSString).deletingPathExtension.precomposedStringWithCanonicalMapping.lowercased()[...]
            // The sign that may belong to the next number, and whether the last piece was a value.
            var (sign, follows) = ("", false)
            while let first = rest.first {
                let digits = rest.prefix { ("0"..."9").contains($0) }
                let letters = rest.prefix(while: \.isLetter)
                let length = max(1, digits.count, letters.count)
                if !digits.isEmpty || letters.count == 1 {
                    if follows { joined.insert(values.count) }
                    let number = digits.drop { $0 == "0" }
                    values.append(digits.isEmpty ? String(letters) : sign + (number.isEmpty ? "0" : number))
                    shape += digits.isEmpty ? "@" : "#"
                    follows = true
                } else {
                    if !" _-+.".contains(first) { shape += rest.prefix(length) }
                    follows = false
                }
                sign = "-+".contains(first) ? String(first) : ""
                rest = rest.dropFirst(length)
            }
            (self.shape, self.values, self.joined) = (shape, values, joined)
        }
    }
}
