import MIDI

/// A mapping of the session, with the parameter that it moves at present.
struct MappedParameter {
    let mapping: MIDIMapping
    /// Index in the tree; nil while there is no such parameter.
    var index: Int?
    /// Whether the button or key was down last.
    var isPressed = false
    /// The number that was sent last.
    var sent: Float?

    init(_ mapping: MIDIMapping) { self.mapping = mapping }

    /// Notes the state of the button or key.
    /// - Returns: whether it was pressed just now.
    mutating func presses(_ reading: ControllerReading) -> Bool {
        defer { isPressed = reading.isPressed }
        return reading.isPressed && !isPressed
    }
}
