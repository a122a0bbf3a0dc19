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
