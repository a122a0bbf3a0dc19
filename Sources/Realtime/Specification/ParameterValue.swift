/// The value of a parameter: numbers (one for a scalar), a text, or none for an action.
public enum ParameterValue: Sendable, Equatable {
    case number(Float)
    case vector([Float])
    case text(String)
    case impulse

    /// One number is a scalar, any other count a vector.
    public init(numbers: [Float]) {
        self = numbers.count == 1 ? .number(numbers[0]) : .vector(numbers)
    }

    public var numbers: [Float] {
        switch self {
        case .number(let value): [value]
        case .vector(let values): values
        case .text, .impulse: []
        }
    }

    public var text: String? {
        if case .text(let text) = self { text } else { nil }
    }
}
