/// One argument of an OSC message, or one JSON value, as it came.
public enum Argument: Sendable, Equatable {
    case int(Int32)
    case float(Float)
    case double(Double)
    case string(String)
    case bool(Bool)
    /// Nil, infinitum, blobs and everything else that no parameter takes.
    case other

    /// The number it means, if it means one.
    public var number: Float? {
        switch self {
        case .int(let value): Float(value)
        case .float(let value): value
        case .double(let value): Float(value)
        case .bool(let value): value ? 1 : 0
        case .string, .other: nil
        }
    }
}

/// Why a parameter did not take a value; `description` is for a person.
public enum Refusal: Error, Equatable, CustomStringConvertible {
    case readOnly(String)
    case wrongCount(String, expected: Int, found: Int)
    case wrongType(String, expected: String)
    case notFinite(String)
    case unknownChoice(String, found: String, names: [String])

    public var description: String {
        switch self {
        case .readOnly(let address): "\(address) can only be read"
        case .wrongCount(let address, let expected, let found):
            "\(address) takes \(expected) value\(expected == 1 ? "" : "s"), not \(found)"
        case .wrongType(let address, let expected): "\(address) takes \(expected)"
        case .notFinite(let address): "\(address) takes finite numbers; NaN or infinity was sent and ignored"
        case .unknownChoice(let address, let found, let names):
            "\(address) has no choice \"\(found)\"; it has \(names.joined(separator: ", "))"
        }
    }
}

extension ParameterSpec {
    /// What these arguments make of this parameter, clamped into its range.
    ///
    /// Integers stand for floats and the other way round; a choice is taken by name or by number.
    /// - Throws: ``Refusal`` for a wrong count or type, an unknown choice, NaN or infinity.
    public func accept(_ arguments: [Argument], at address: String) throws(Refusal) -> ParameterValue {
        guard access != .read else { throw .readOnly(address) }
        switch kind {
        case .impulse:
            return .impulse
        case .text:
            guard arguments.count == 1 else {
                throw .wrongCount(address, expected: 1, found: arguments.count)
            }
            guard case .string(let text) = arguments[0] else { throw .wrongType(address, expected: "a text") }
            return .text(text)
        case .choice(let names):
            guard arguments.count == 1 else {
                throw .wrongCount(address, expected: 1, found: arguments.count)
            }
            if case .string(let name) = arguments[0] {
                guard let index = names.firstIndex(of: name) else {
                    throw .unknownChoice(address, found: name, names: names)
                }
                return .number(Float(index))
            }
            return .number(try number(arguments[0], address))
        default:
            let expected = count ?? arguments.count
            guard arguments.count == expected else {
                throw .wrongCount(address, expected: expected, found: arguments.count)
            }
            if !words.isEmpty, case .string(let word)? = arguments.first {
                guard words.contains(word) else { throw .unknownChoice(address, found: word, names: ["a number"] + words) }
                return .text(word)
            }
            if isRotation { return .init(numbers: try unit(arguments, address)) }
            var numbers: [Float] = []
            for argument in arguments { numbers.append(try number(argument, address)) }
            return .init(numbers: numbers)
        }
    }

    private var isRotation: Bool {
        role == .orientationQuaternion || role == .mount || role == .trackerOrientation
    }

    /// Quaternions of any length mean a rotation; their length is brought to 1, not their elements into range.
    private func unit(_ arguments: [Argument], _ address: String) throws(Refusal) -> [Float] {
        var numbers: [Double] = []
        for argument in arguments {
            guard let number = argument.number else { throw .wrongType(address, expected: "numbers") }
            guard number.isFinite else { throw .notFinite(address) }
            numbers.append(Double(number))
        }
        let length = numbers.reduce(0) { $0 + $1 * $1 }.squareRoot()
        guard length > 1e-3 else { throw .wrongType(address, expected: "a quaternion of length 1, not of length 0") }
        return numbers.map { Float($0 / length) }
    }

    private func number(_ argument: Argument, _ address: String) throws(Refusal) -> Float {
        guard let number = argument.number else { throw .wrongType(address, expected: "numbers") }
        guard number.isFinite else { throw .notFinite(address) }
        return clamped(number)
    }

    /// The OSC type tags of a value of this kind, as OSCQuery's TYPE.
    public var oscType: String {
        switch kind {
        case .number: "f"
        case .integer: "i"
        case .toggle: "T"
        case .choice, .text: "s"
        case .vector(let names): String(repeating: "f", count: names.count)
        case .list: "[f]"
        case .impulse: "N"
        }
    }

    /// The value as OSC arguments: a choice by its name.
    public func arguments(_ value: ParameterValue) -> [Argument] {
        switch (kind, value) {
        case (.choice(let names), .number(let index)):
            [.string(names.indices.contains(Int(index)) ? names[Int(index)] : "")]
        case (.toggle, .number(let number)): [.bool(number != 0)]
        case (.integer, .number(let number)): [.int(Int32(clamping: Int(number)))]
        case (_, .text(let text)): [.string(text)]
        default: value.numbers.map { .float($0) }
        }
    }
}
