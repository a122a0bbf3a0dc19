import MIDI

/// A mapping of the session, with the parameter that it moves at present.
struct MappedParameter {
    let mapping: MIDIMapping
    /// Index in the tree; nil while there is no such parameter.
    var index: Int?
    /// Whether the button or key was down last.
    private var isPressed = false
    /// The same before the reading that was last.
    private var wasPressed = false
    /// When it was where a repetition is a press, if it still is, CLOCK_MONOTONIC nanoseconds.
    private var repeatable: UInt64?
    /// The shortest time between two presses without a release, nanoseconds: a controller that keeps sending its position is faster.
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
        // One half of a value may be 0 beside one that is not: the value before counts as well when the other half comes.
        let isHeld = isPressed || reading.part == .completion && wasPressed
        defer { (wasPressed, isPressed, repeatable) = (isPressed, reading.isPressed, reading.isRepeatable ? time : nil) }
        guard reading.isPressed, isHeld else { return reading.isPressed }
        guard reading.isRepeatable, let repeatable else { return false }
        return time >= repeatable + Self.shortest
    }
}
