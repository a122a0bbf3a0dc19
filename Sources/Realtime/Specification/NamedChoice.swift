/// The values of a choice, in the order of their numbers. The raw value is the name that clients see.
public protocol NamedChoice: CaseIterable, RawRepresentable<String>, Equatable, Sendable where AllCases == [Self] {}

extension NamedChoice {
    public static var names: [String] { allCases.map(\.rawValue) }

    /// The parameter's value.
    public var number: Float { Float(Self.allCases.firstIndex(of: self) ?? 0) }

    /// - Returns: nil for a number that no value has.
    public init?(number: Float) {
        guard let index = Int(exactly: number), Self.allCases.indices.contains(index) else { return nil }
        self = Self.allCases[index]
    }
}
