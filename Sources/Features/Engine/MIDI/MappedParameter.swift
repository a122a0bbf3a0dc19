import MIDI
import Parameters

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

/// Relative controllers, which report steps instead of positions.
extension MappedParameter {
    /// The controller's position after a step: from where it was, or, after another client has set the parameter, from where it would have
    /// to be for the present value.
    ///
    /// - Parameter present: the parameter's value; nil for one that can only be written.
    func share(after step: Float, from present: ParameterValue?, _ spec: ParameterSpec) -> Float {
        let number = present.map { $0.numbers.first } ?? sent
        var from: Float = 0
        if let share, number == sent { from = share } else if let number { from = edge(of: number, isUpper: step > 0, spec) }
        return min(max(from + step, 0), 1)
    }

    /// One end of the range of positions at which the mapping sets a number, so that a step in that direction leads to another number.
    private func edge(of number: Float, isUpper: Bool, _ spec: ParameterSpec) -> Float {
        let isRising = spec.number(for: mapping, at: 1) >= spec.number(for: mapping, at: 0)
        var (low, high) = (0, 1) as (Float, Float)
        // As many bisections as a `Float` has significant bits.
        for _ in 0..<24 {
            let middle = 0.5 * (low + high)
            let reached = spec.number(for: mapping, at: middle)
            let isBelow = reached == number ? isUpper : (reached < number) == isRising
            if isBelow { low = middle } else { high = middle }
        }
        return isUpper ? low : high
    }
}

/// Positions along a parameter's scale, 0 at the lower end of its range and 1 at the upper.
extension ParameterSpec {
    /// The reason why a controller cannot move the parameter; nil when it can.
    var obstacle: String? {
        if kind == .impulse { return nil }
        if access == .read { return "it can only be read" }
        switch kind {
        case .text: return "it is a text"
        case .vector, .list: return "it has several numbers"
        default: break
        }
        let isBounded = abs(range.lowerBound) < Self.unbounded && abs(range.upperBound) < Self.unbounded
        return isBounded && range.lowerBound < range.upperBound ? nil : "it has no range"
    }

    /// Bounds of at least this magnitude stand for no limit.
    private static let unbounded = Float(1 << 24)

    /// The value at a position: even steps, or even ratios on a logarithmic scale.
    func value(at position: Float) -> Float {
        let (low, high) = (range.lowerBound, range.upperBound)
        // `between` goes the shorter way round the circle, whose length is 0 for a whole turn.
        return isCircular ? low + (high - low) * position : between(low, high, position)
    }

    /// The number that a mapping sets.
    ///
    /// - Parameter share: position of the controller, 0 to 1.
    func number(for mapping: MIDIMapping, at share: Float) -> Float { bounded(value(at: mapping.position(share))) }
}
