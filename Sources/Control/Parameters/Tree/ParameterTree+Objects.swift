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

    /// A sentence that the object in an address such as `/object/9/gain` does not exist, and what to do.
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
