import MIDI

/// A mapping of the session, with the parameter that it moves at present.
struct MappedParameter {
    let mapping: MIDIMapping
    /// Index in the tree; nil while there is no such parameter.
    var index: Int?
    /// Whether the button or key was down at the last reading.
    private var isPressed = false
    /// Whether it was down at the reading before that.
    private var wasPressed = false
    /// Time of the last reading, CLOCK_MONOTONIC nanoseconds, if a repetition of it counts as a press; nil otherwise.
    private var repeatable: UInt64?
    /// The shortest time between two presses without a release, nanoseconds; a controller that keeps sending the same position does so at
    /// shorter intervals.
    private static let shortest: UInt64 = 100_000_000
    /// The number that was sent last.
    var sent: Float?
    /// The controller's position when it was sent.
    var share: Float?

    init(_ mapping: MIDIMapping) { self.mapping = mapping }

    /// Notes the state of the button or key.
    ///
    /// - Parameter time: CLOCK_MONOTONIC nanoseconds.
    /// - Returns: whether it was pressed just now: from its released state, or again without a release, some time after the last press.
    mutating func presses(_ reading: ControllerReading, time: UInt64) -> Bool {
        // One half of a 14-bit value may be 0 although the other is not, so for the second half the state before the first half counts as
        // well.
        let isHeld = isPressed || reading.part == .completion && wasPressed
        defer { (wasPressed, isPressed, repeatable) = (isPressed, reading.isPressed, reading.isRepeatable ? time : nil) }
        guard reading.isPressed, isHeld else { return reading.isPressed }
        guard reading.isRepeatable, let repeatable else { return false }
        return time >= repeatable + Self.shortest
    }
}
