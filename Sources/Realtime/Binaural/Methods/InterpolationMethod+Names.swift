#if !hasFeature(Embedded)
/// Lookup of methods by their names, which the renderer for browsers does not contain.
extension InterpolationMethod {
    /// Names of earlier releases that are still accepted, each with the current one.
    public static var formerNames: [String: String] {
        let pairs = allCases.compactMap { method in method.declaration.formerName.map { ($0.description, method.name) } }
        return Dictionary(uniqueKeysWithValues: pairs)
    }

    /// - Parameter name: the current name or a former one.
    public init?(name: String) {
        let present = Self.formerNames[name] ?? name
        guard let method = Self.allCases.first(where: { $0.name == present }) else { return nil }
        self = method
    }
}
#endif
