/// The control of a MIDI controller that moves a parameter. Its text form is the one of sessions and clients: `cc 7`, `cc14 7`,
/// `rpn 0`, `nrpn 1234`, `note 60`, `bend`, `pressure`.
public enum MIDIController: Hashable, Sendable {
    /// Controller 0 to 119 with 7 bits. Numbers from 120 on are commands to synthesizers.
    case control(UInt8)
    /// Controller 0 to 31 with 14 bits: its lower 7 bits come as the controller 32 higher.
    case fineControl(UInt8)
    /// RPN 0 to 16382: 128 times the upper half of its number, and the lower half. Its value has 7 or 14 bits.
    case registered(UInt16)
    /// NRPN 0 to 16382, likewise.
    case unregistered(UInt16)
    /// Key 0 to 127: the velocity while it is pressed, 0 after.
    case note(UInt8)
    case bend
    /// Pressure of all keys of a channel.
    case pressure

    /// Whether it is pressed and released, rather than moved.
    public var isKey: Bool { if case .note = self { true } else { false } }

    /// Controllers from this number on are commands.
    static let firstCommand: UInt8 = 120
    /// Controllers below this number have a partner with their lower 7 bits, this much higher.
    static let fine: UInt8 = 32
}

extension MIDIController: CustomStringConvertible {
    public var description: String {
        switch self {
        case .control(let number): "cc \(number)"
        case .fineControl(let number): "cc14 \(number)"
        case .registered(let number): "rpn \(number)"
        case .unregistered(let number): "nrpn \(number)"
        case .note(let number): "note \(number)"
        case .bend: "bend"
        case .pressure: "pressure"
        }
    }

    /// Reads the text form from the beginning of `words`, and removes it.
    init?(_ words: inout ArraySlice<Substring>) {
        func number<Number: FixedWidthInteger>(below limit: Number) -> Number? {
            guard let number = words.popFirst().flatMap({ Number($0) }), (0..<limit).contains(number) else { return nil }
            return number
        }
        switch words.popFirst() {
        case "cc":
            guard let number = number(below: Self.firstCommand) else { return nil }
            self = .control(number)
        case "cc14":
            guard let number = number(below: Self.fine) else { return nil }
            self = .fineControl(number)
        case "rpn":
            guard let number = number(below: NumberedParameters.null) else { return nil }
            self = .registered(number)
        case "nrpn":
            guard let number = number(below: NumberedParameters.null) else { return nil }
            self = .unregistered(number)
        case "note":
            guard let number = number(below: 128 as UInt8) else { return nil }
            self = .note(number)
        case "bend": self = .bend
        case "pressure": self = .pressure
        default: return nil
        }
    }
}
