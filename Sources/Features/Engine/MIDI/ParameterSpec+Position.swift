import MIDI
import Parameters

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
