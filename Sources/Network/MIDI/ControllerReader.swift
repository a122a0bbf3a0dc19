/// Turns channel messages into readings of controllers, joins the two halves of 14-bit controllers, and reads RPN and NRPN.
public struct ControllerReader: Sendable {
    /// Upper 7 bits of controllers 0 to 31, by channel; 0 until one was received.
    private var upper = [UInt8](repeating: 0, count: 16 * Int(MIDIController.fine))

    /// Whether the lower half of such a controller came directly after the upper one.
    private var isPair = [Bool](repeating: false, count: 16 * Int(MIDIController.fine))
    /// Index of the upper half that was received last, if no other message came after it.
    private var lastUpper: Int?
    private var parameters = NumberedParameters()

    public init() {}

    /// The controllers that a message moves: two when it completes a 14-bit controller, because its lower half is a
    /// controller of its own as well. A 14-bit controller moves with its lower half, which devices send last; RPN and NRPN move with
    /// either.
    public mutating func take(_ message: MIDIMessage) -> [ControllerReading] {
        let (first, second, channel) = (message.first, message.second, message.channel)
        func reading(_ controller: MIDIController, _ number: UInt8) -> ControllerReading {
            ControllerReading(controller, channel: channel, Int(number), bits: 7)
        }
        let before = lastUpper
        lastUpper = nil
        switch message.status & 0xF0 {
        case 0x80: return [reading(.note(first), 0)]
        case 0x90: return [reading(.note(first), second)]
        case 0xB0 where first < MIDIController.firstCommand:
            if let reading = parameters.take(first, second, channel: channel) { return [reading] }
            let fine = MIDIController.fine
            let place = (channel - 1) * Int(fine) + Int(first % fine)
            if first < fine {
                upper[place] = second
                if before == place { isPair[place] = false }
                lastUpper = place
                return [ControllerReading(.control(first), channel: channel, Int(second), bits: 7, isHalf: isPair[place])]
            }
            guard first < 2 * fine else { return [reading(.control(first), second)] }
            if before == place { isPair[place] = true }
            let whole = Int(upper[place]) << 7 | Int(second)
            return [
                reading(.control(first), second), ControllerReading(.fineControl(first - fine), channel: channel, whole, bits: 14),
            ]
        case 0xB0:
            if first == NumberedParameters.reset { parameters.forget(channel) }
            return []
        case 0xD0: return [reading(.pressure, first)]
        case 0xE0: return [ControllerReading(.bend, channel: channel, Int(second) << 7 | Int(first), bits: 14)]
        default: return []
        }
    }
}

/// A controller that has moved, and where it is.
public struct ControllerReading: Hashable, Sendable {
    public var controller: MIDIController
    /// 1 to 16.
    public var channel: Int
    /// Position, 0 to 1. The middle of the numbers, 64 of 127 and 8192 of 16383, is exactly 0.5.
    public var share: Float
    /// Whether a button or key is down: any velocity of a note, any value of RPN and NRPN above 0, the upper half of anything else.
    public var isPressed: Bool
    /// Whether an identical next reading is another press: for a key, and for a switch that sends 127 whenever it is pressed and nothing
    /// when it is released. Never for a controller with 14 bits, whose upper half repeats while the lower one moves.
    public var isRepeatable: Bool
    /// Part of the value that the message contained.
    public var part: Part
    /// Change of position by one step, for controllers that report steps instead of positions; nil for others.
    public var step: Float?

    /// Part of a controller's value that a message contains.
    public enum Part: Sendable {
        case value
        /// Half of the number of an RPN or NRPN: no value, although an ordinary controller may send the same.
        case name
        /// Lower half of a value whose upper half is unknown, so that the position is not known yet.
        case beginning
        /// The other half of the value of the reading before.
        case completion
    }

    /// - Parameters:
    ///   - bits: of the number, 7 or 14.
    ///   - isHalf: whether it is the upper half of a controller with 14 bits.
    ///   - step: 1 or -1 for a step up or down; 0 for a value.
    init(
        _ controller: MIDIController, channel: Int, _ number: Int, bits: Int, isHalf: Bool = false, part: Part = .value, step: Int = 0
    ) {
        self.controller = controller
        self.channel = channel
        self.part = part
        self.step = step == 0 ? nil : Float(step) / Float((1 << bits) - 1)
        let middle = 1 << (bits - 1)
        share =
            number <= middle
            ? 0.5 * Float(number) / Float(middle) : 0.5 + 0.5 * Float(number - middle) / Float(middle - 1)
        isPressed =
            switch controller {
            case .registered, .unregistered: step == 0 ? number > 0 : step > 0
            case .note: number > 0
            case .control, .fineControl, .bend, .pressure: number >= middle
            }
        isRepeatable =
            switch controller {
            case .note: isPressed
            case .registered, .unregistered: step == 0 ? share == 1 && bits == 7 : isPressed
            case .control: share == 1 && !isHalf
            case .fineControl, .bend, .pressure: false
            }
    }
}
