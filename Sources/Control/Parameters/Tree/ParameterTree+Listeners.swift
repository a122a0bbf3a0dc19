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
