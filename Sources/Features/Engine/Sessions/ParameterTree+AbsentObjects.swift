import Parameters

extension ParameterTree {
    /// Whether an address such as `/object/9/gain` belongs to an object that may exist but does not.
    func isOfAbsentObject(_ address: String) -> Bool {
        let parts = address.split(separator: "/", omittingEmptySubsequences: true)
        guard parts.count > 2, parts[0] == "object", let number = Int(parts[1]), isObjectPresent.indices.contains(number - 1) else {
            return false
        }
        return !isObjectPresent[number - 1]
    }
}
