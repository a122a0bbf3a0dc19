internal import Glibc

/// A controller and the parameter that it moves. Positions are 0 to 1 along the controller's travel and along the parameter's scale.
public struct MIDIMapping: Hashable, Sendable {
    public var controller: MIDIController
    /// 1 to 16; 0 for any.
    public var channel: Int
    /// Address of the parameter.
    public var target: String
    /// Positions of the controller at which the parameter reaches the ends of `output`.
    public var input = Ends.whole
    /// Positions of the parameter; reversed when the first is larger.
    public var output = Ends.whole
    /// -1 to 1: 0 is linear, above it the parameter moves late, below early.
    public var curve: Float = 0
    /// Whether every press goes from one end of `output` to the other, instead of the parameter following the controller.
    public var isToggle = false

    /// Two positions, each 0 to 1.
    public struct Ends: Hashable, Sendable {
        public var first: Float
        public var last: Float

        public static let whole = Ends(first: 0, last: 1)

        public init(first: Float, last: Float) {
            self.first = first
            self.last = last
        }
    }

    public init(_ controller: MIDIController, channel: Int, target: String) {
        self.controller = controller
        self.channel = channel
        self.target = target
    }

    public func follows(_ reading: ControllerReading) -> Bool {
        controller == reading.controller && (channel == 0 || channel == reading.channel)
    }

    /// Position of the parameter for a position of the controller, each 0 to 1.
    public func position(_ share: Float) -> Float {
        let way = input.last - input.first
        let part = way == 0 ? (share >= input.first ? 1 : 0) : min(max((share - input.first) / way, 0), 1)
        return output.first + (output.last - output.first) * Self.curved(part, curve)
    }
}

extension MIDIMapping {
    /// Exponent of the steepest curve.
    private static let steepest: Float = 6

    /// An exponential curve through 0 and 1. The curves of `curve` and `-curve` are each other's mirror image: f(x) of one is 1 - f(1 - x)
    /// of the other. At 1, half of the travel leads to 0.047; at -1, to 0.953.
    ///
    /// - Parameters:
    ///   - share: 0 to 1.
    ///   - curve: -1 to 1; 0 is linear.
    static func curved(_ share: Float, _ curve: Float) -> Float {
        let exponent = curve * steepest
        // Below this the curve equals a line within the precision of a number.
        guard abs(exponent) > 1e-4 else { return share }
        return expm1f(exponent * share) / expm1f(exponent)
    }
}

/// The text form of a mapping, one line of words:
///
///     CONTROLLER [channel 1-16] to ADDRESS [input FIRST LAST] [output FIRST LAST] [curve NUMBER] [toggle]
extension MIDIMapping: CustomStringConvertible {
    /// Longest text in bytes.
    public static let longest = 512

    /// Canonical: parts with their initial value are left out.
    public var description: String {
        var words = ["\(controller)"]
        if channel != 0 { words.append("channel \(channel)") }
        words.append("to \(target)")
        if input != .whole { words.append("input \(input)") }
        if output != .whole { words.append("output \(output)") }
        if curve != 0 { words.append("curve \(Self.words(curve))") }
        if isToggle { words.append("toggle") }
        return words.joined(separator: " ")
    }

    /// - Throws: ``MIDIMappingError`` with the part that is wrong.
    public init(_ text: String) throws(MIDIMappingError) {
        guard text.utf8.count <= Self.longest else { throw MIDIMappingError("a mapping has at most \(Self.longest) bytes") }
        var words = text.split { $0 == " " || $0 == "\t" }[...]
        guard let controller = MIDIController(&words) else {
            throw MIDIMappingError(
                "a mapping begins with a controller: cc 0 to 119, cc14 0 to 31, rpn or nrpn 0 to 16382, note 0 to 127, bend or pressure")
        }
        var channel = 0
        if words.first == "channel" {
            words.removeFirst()
            guard let number = words.popFirst().flatMap({ Int($0) }), (1...16).contains(number) else {
                throw MIDIMappingError("the channel is 1 to 16; leave it out for any")
            }
            channel = number
        }
        guard words.popFirst() == "to", let target = words.popFirst(), Self.isAddress(target) else {
            throw MIDIMappingError(
                "after the controller and its channel, a mapping needs \"to\" and the address of a parameter, without wildcards")
        }
        self.init(controller, channel: channel, target: String(target))
        try readOptions(&words)
    }

    private mutating func readOptions(_ words: inout ArraySlice<Substring>) throws(MIDIMappingError) {
        while let word = words.popFirst() {
            switch word {
            case "input": input = try Self.ends(&words, word)
            case "output": output = try Self.ends(&words, word)
            case "curve": curve = try Self.number(&words, -1...1, word)
            case "toggle": isToggle = true
            default:
                throw MIDIMappingError(
                    "\"\(word.prefix(32))\" is not a part of a mapping; the parts are input, output, curve and toggle")
            }
        }
    }

    /// A number without a needless decimal point.
    fileprivate static func words(_ number: Float) -> String {
        let text = "\(number)"
        return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }

    private static func isAddress(_ text: Substring) -> Bool {
        text.count > 1 && text.first == "/" && text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && !"*?[]{}#,".utf8.contains($0) }
    }

    private static func ends(_ words: inout ArraySlice<Substring>, _ name: Substring) throws(MIDIMappingError) -> Ends {
        let first = try number(&words, 0...1, name)
        return Ends(first: first, last: try number(&words, 0...1, name))
    }

    private static func number(
        _ words: inout ArraySlice<Substring>, _ range: ClosedRange<Float>, _ name: Substring
    ) throws(MIDIMappingError) -> Float {
        guard let number = words.popFirst().flatMap({ Float($0) }), range.contains(number) else {
            let count = name == "curve" ? "a number" : "two numbers"
            throw MIDIMappingError(
                "\"\(name)\" needs \(count) from \(Int(clamping: range.lowerBound)) to "
                    + "\(Int(clamping: range.upperBound))")
        }
        // Minus zero has no text of its own.
        return number == 0 ? 0 : number
    }
}

extension MIDIMapping.Ends: CustomStringConvertible {
    public var description: String { "\(MIDIMapping.words(first)) \(MIDIMapping.words(last))" }
}

/// The reason why a text is not a mapping.
public struct MIDIMappingError: Error, Equatable, CustomStringConvertible {
    public let description: String

    init(_ description: String) { self.description = description }
}
