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

/// A list of names that the program finds at its start, for choices declared before the names are known.
public enum ChoiceList: Sendable, Hashable {
    /// Interpolation methods of the renderer.
    case methods
    /// Effects a rack can hold.
    case effects
    /// Racks that come with the program.
    case presets
    /// Short sounds.
    case cues
}

/// The names of a ``ChoiceList``.
package struct ChoiceNames {
    package var names: [String]
    /// Index of the initial choice.
    package var initial = 0
    /// Names of earlier releases, each with the current one.
    package var former: [String: String] = [:]

    package init(names: [String], initial: Int = 0, former: [String: String] = [:]) {
        (self.names, self.initial, self.former) = (names, initial, former)
    }
}
