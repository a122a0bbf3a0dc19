/// A controller that has moved, and where it is.
public struct ControllerReading: Hashable, Sendable {
    public var controller: MIDIController
    /// 1 to 16.
    public var channel: Int
    /// Position, 0 to 1. The middle of the numbers, 64 of 127 and 8192 of 16383, is exactly 0.5.
    public var share: Float
    /// Whether a button or key is down: any velocity of a note, the upper half of anything else.
    public var isPressed: Bool

    /// - Parameter bits: of the number, 7 or 14.
    init(_ controller: MIDIController, channel: Int, _ number: Int, bits: Int) {
        self.controller = controller
        self.channel = channel
        let middle = 1 << (bits - 1)
        share =
            number <= middle
            ? 0.5 * Float(number) / Float(middle) : 0.5 + 0.5 * Float(number - middle) / Float(middle - 1)
        isPressed = if case .note = controller { number > 0 } else { number >= middle }
    }
}
