/// The reason why a parameter refused a value.
public enum Refusal: Error, Equatable, CustomStringConvertible {
    case readOnly(String)
    case wrongCount(String, expected: Int, found: Int)
    case wrongType(String, expected: String)
    case notFinite(String)
    case tooLarge(String, found: Double)
    case notWhole(String, found: Float)
    case outOfRange(String, found: Float, ClosedRange<Float>)
    case unknownChoice(String, found: String, names: [String])
    case noChoices(String)
    case tooLong(String, limit: Int, found: Int)
    /// A text has a character that displays and logs cannot show, by its code point.
    case controlCharacter(String, found: UInt32)
    case tooMany(String, limit: Int, found: Int)
    /// A value of an unsupported type, described in words with what to send instead.
    case unreadable(String, String)

    /// Number of characters of a wrong text that are quoted to the sender.
    private static let quoted = 64

    /// One sentence for the sender.
    public var description: String {
        switch self {
        case .readOnly(let address): "\(address) can only be read"
        case .wrongCount(let address, let expected, let found):
            "\(address) takes \(counted(expected, "value")), not \(found)"
        case .wrongType(let address, let expected): "\(address) takes \(expected)"
        case .notFinite(let address): "\(address) takes finite numbers; NaN or infinity was sent and ignored"
        case .tooLarge(let address, let found): "\(address) takes 32-bit floats, up to 3.4e38; \(found) is too large and was ignored"
        case .notWhole(let address, let found): "\(address) takes whole numbers, not \(ParameterSpec.plainWords(found))"
        case .outOfRange(let address, let found, let range):
            "\(address) takes \(ParameterSpec.plainWords(range.lowerBound)) to \(ParameterSpec.plainWords(range.upperBound)), "
                + "not \(ParameterSpec.plainWords(found))"
        case .unknownChoice(let address, let found, let names):
            "\(address) has no choice \"\(found.prefix(Self.quoted))\"; it has \(names.joined(separator: ", "))"
        case .noChoices(let address): "\(address) has nothing to choose from"
        case .tooLong(let address, let limit, let found): "\(address) takes a text of at most \(limit) bytes, not \(found)"
        case .controlCharacter(let address, let found):
            "\(address) takes a text without the control character \(Self.codePoint(found))"
        case .unreadable(let address, let what): "\(address) ignored \(what)"
        case .tooMany(let address, let limit, let found): "\(address) takes at most \(limit) numbers, not \(found)"
        }
    }

    /// A code point in its usual notation, such as U+001B.
    private static func codePoint(_ number: UInt32) -> String {
        let digits = String(number, radix: 16, uppercase: true)
        return "U+" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }
}
