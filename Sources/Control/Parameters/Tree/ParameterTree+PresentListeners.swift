/// The present listeners in words, for the answer to a sender that names an absent one.
extension ParameterTree {
    /// Maximum number of ranges in a text.
    private static let mostRanges = 8

    /// The number in an address such as `/listener/9999/gain` or `/rack/listener/9999/add`, if there is no such listener.
    /// - Returns: nil for any other address.
    public func absentListener(in path: String) -> Substring? {
        let parts = path.split(separator: "/", omittingEmptySubsequences: true)
        guard let place = parts.firstIndex(of: "listener"), place < 2, place + 1 < parts.count else { return nil }
        let word = parts[place + 1]
        guard !word.isEmpty, word.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        if let number = Int(word), isPresent.indices.contains(number - 1), isPresent[number - 1] { return nil }
        return word
    }

    /// The present listeners: "listener 1", "listeners 1 to 3, 7, 9 to 40".
    public var presentListenersText: String {
        var ranges: [ClosedRange<Int>] = []
        for index in isPresent.indices where isPresent[index] {
            let number = index + 1
            if let last = ranges.last, last.upperBound == number - 1 {
                ranges[ranges.count - 1] = last.lowerBound...number
            } else {
                ranges.append(number...number)
            }
        }
        let words = ranges.prefix(Self.mostRanges).map { $0.count == 1 ? "\($0.lowerBound)" : "\($0.lowerBound) to \($0.upperBound)" }
        let more = ranges.count > Self.mostRanges ? ", …" : ""
        guard !ranges.isEmpty else { return "no other" }
        return (presentCount == 1 ? "listener " : "listeners ") + words.joined(separator: ", ") + more
    }
}
