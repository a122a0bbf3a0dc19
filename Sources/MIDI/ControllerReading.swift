/// A controller that has moved, and where it is.
public struct ControllerReading: Hashable, Sendable {
    public var controller: MIDIController
    /// 1 to 16.
    public var channel: Int
    /// Position, 0 to 1. The middle of the numbers, 64 of 127 and 8192 of 16383, is exactly 0.5.
    public var share: Float
    /// Whether a button or key is down: any velocity of a note, the upper half of anything else.
    public var isPressed: Bool
    /// Whether the same once more is another press: of a key, and of a switch that sends 127 whenever it is pressed and nothing when it is
    /// released. Never of a controller with 14 bits, whose upper half repeats while the lower one moves.
    public var isRepeatable: Bool

    /// - Parameters:
    ///   - bits: of the number, 7 or 14.
    ///   - isHalf: whether it is the upper half of a controller with 14 bits.
    init(_ controller: MIDIController, channel: Int, _ number: Int, bits: Int, isHalf: Bool = false) {
        self.controller = controller
        self.channel = channel
        let middle = 1 << (bits - 1)
        share =
            number <= middle
            ? 0.5 * Float(number) / Float(middle) : 0.5 + 0.5 * Float(number - middle) / Float(middle - 1)
        isPressed = if case .note = controller { number > 0 } else { number >= middle }
        isRepeatable =
            switch controller {
            case .note: isPressed
            case .control: share == 1 && !isHalf
            case .fineControl, .bend, .pressure: false
            }
    }
}
