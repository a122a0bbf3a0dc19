/// Listeners whose parameters are added and removed.
extension ParameterTree {
    /// The index of a parameter, including those of absent listeners and objects; nil for an address without a parameter.
    public func declaredIndex(at address: String) -> Int? {
        if let index = index(at: address) { return index }
        let parts = address.split(separator: "/", omittingEmptySubsequences: false)
        if parts.count == 4, parts[0].isEmpty, parts[1] == "object" { return objectIndex(parts[2], parts[3]) }
        guard parts.count == 4, parts[0].isEmpty, parts[1] == "listener", let number = Int(parts[2]), String(number) == parts[2],
            (1...listeners).contains(number), let parameter = ListenerParameter.allCases.first(where: { $0.leaf == parts[3] })
        else { return nil }
        return index(parameter, number - 1)
    }

    /// The listener that a parameter of ``ListenerParameter`` belongs to, from 0; nil for other parameters.
    public func listener(ofParameter index: Int) -> Int? {
        let (first, count) = (self.index(ListenerParameter.ypr), ListenerParameter.allCases.count)
        let listener = (index - first) / count
        return index >= first && listener < listeners ? listener : nil
    }

    /// Number of present listeners.
    public var presentCount: Int { isPresent.count { $0 } }
}

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

/// Sound objects whose parameters are added and removed.
extension ParameterTree {
    /// The existing objects, counted from 0.
    public var presentObjects: Set<Int> { Set(isObjectPresent.indices.filter { isObjectPresent[$0] }) }

    /// The index of an object's parameter; the object may be absent.
    func objectIndex(_ number: Substring, _ leaf: Substring) -> Int? {
        guard let object = Int(number), String(object) == number, (1...max(1, objects)).contains(object), objects > 0,
            let parameter = ObjectParameter.allCases.first(where: { $0.leaf == leaf })
        else { return nil }
        return index(parameter, object - 1)
    }

    /// The object that a parameter of ``ObjectParameter`` belongs to, from 0; nil for other parameters.
    public func object(ofParameter index: Int) -> Int? {
        guard objects > 0 else { return nil }
        let (first, count) = (self.index(ObjectParameter.source), ObjectParameter.allCases.count)
        return index >= first && index < first + objects * count ? (index - first) / count : nil
    }

    /// A sentence saying that the object in an address such as `/object/9/gain` does not exist, and what to do.
    /// - Returns: nil for an object that exists, and for any other address.
    public func absentObjectText(in path: String) -> String? {
        let parts = path.split(separator: "/", omittingEmptySubsequences: true)
        guard parts.count > 2, parts[0] == "object" else { return nil }
        let word = parts[1]
        guard !word.isEmpty, word.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        let absence = "there is no object \(word)"
        guard objects > 0 else { return "\(absence): this engine has no objects; start it with --objects" }
        guard let number = Int(word), (1...objects).contains(number) else {
            return "\(absence): objects have numbers from 1 to \(objects), the maximum of this engine"
                + (objects < ObjectParameter.most ? "; start it with a larger --objects" : "")
        }
        return isObjectPresent[number - 1] ? nil : "\(absence): /object/add adds one"
    }
}
