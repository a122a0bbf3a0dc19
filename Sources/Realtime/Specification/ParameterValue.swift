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

/// One argument of an OSC message, or one JSON value, as received.
public enum Argument: Sendable, Equatable {
    case int(Int32)
    case float(Float)
    case double(Double)
    case string(String)
    case bool(Bool)
    /// Nil, infinitum, or a MIDI message other than a channel message: no parameter accepts it.
    case other
    /// A value of an unsupported type, described in words with what to send instead: "a blob (OSC type b); send a number".
    case unreadable(String)

    /// The numeric value; nil for texts and other types.
    public var number: Float? {
        switch self {
        case .int(let value): Float(value)
        case .float(let value): value
        case .double(let value): Float(value)
        case .bool(let value): value ? 1 : 0
        case .string, .other, .unreadable: nil
        }
    }

    /// - Throws: ``Refusal`` for a value that cannot be read.
    func checkReadable(at address: String) throws(Refusal) {
        if case .unreadable(let what) = self { throw .unreadable(address, what) }
    }

    /// The numeric value for a parameter.
    /// - Throws: ``Refusal`` for a text or another type, NaN, infinity, and a number that is too large for a 32-bit float.
    public func finite(at address: String) throws(Refusal) -> Float {
        try checkReadable(at: address)
        if case .string(let text) = self { throw .wrongType(address, expected: "numbers; the text \"\(text.prefix(64))\" was sent") }
        guard let number else { throw .wrongType(address, expected: "numbers") }
        guard !number.isFinite else { return number }
        if case .double(let value) = self, value.isFinite { throw .tooLarge(address, found: value) }
        throw .notFinite(address)
    }
}
