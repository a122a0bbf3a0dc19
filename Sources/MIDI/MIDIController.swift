/// The control of a MIDI controller that moves a parameter. Its text form is the one of sessions and clients: `cc 7`, `cc14 7`,
/// `note 60`, `bend`, `pressure`.
public enum MIDIController: Hashable, Sendable {
    /// Controller 0 to 119 with 7 bits. Numbers from 120 on are commands to synthesizers.
    case control(UInt8)
    /// Controller 0 to 31 with 14 bits: its lower 7 bits come as the controller 32 higher.
    case fineControl(UInt8)
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
        case .note(let number): "note \(number)"
        case .bend: "bend"
        case .pressure: "pressure"
        }
    }

    /// Reads the text form from the beginning of `words`, and removes it.
    init?(_ words: inout ArraySlice<Substring>) {
        func number(below limit: UInt8) -> UInt8? {
            guard let number = words.popFirst().flatMap({ UInt8($0) }), number < limit else { return nil }
            return number
        }
        switch words.popFirst() {
        case "cc":
            guard let number = number(below: Self.firstCommand) else { return nil }
            self = .control(number)
        case "cc14":
            guard let number = number(below: Self.fine) else { return nil }
            self = .fineControl(number)
        case "note":
            guard let number = number(below: 128) else { return nil }
            self = .note(number)
        case "bend": self = .bend
        case "pressure": self = .pressure
        default: return nil
        }
    }
}
