/// Declarations of the parameters of effects.
extension ParameterSpec {
    /// A number without a unit.
    package static func amount(
        _ title: String, _ range: ClosedRange<Float>, initial: Float, logarithmic: Bool = false, _ summary: String
    ) -> Self { effect(title, range, initial, .none, logarithmic, summary) }

    /// A share of a whole.
    package static func share(
        _ title: String, _ range: ClosedRange<Float> = 0...1, initial: Float, _ summary: String
    ) -> Self { effect(title, range, initial, .none, false, summary) }

    /// A whole number.
    package static func count(_ title: String, _ range: ClosedRange<Float>, initial: Float, _ summary: String) -> Self {
        .init(title: title, summary: summary, kind: .integer, range: range, initial: .number(initial), smoothing: .effect)
    }

    /// A level in decibels.
    package static func level(_ title: String, _ range: ClosedRange<Float>, initial: Float, _ summary: String) -> Self {
        effect(title, range, initial, .decibel, false, summary)
    }

    /// A frequency in hertz, on a logarithmic scale.
    package static func frequency(_ title: String, _ range: ClosedRange<Float>, initial: Float, _ summary: String) -> Self {
        effect(title, range, initial, .hertz, true, summary)
    }

    /// A time in milliseconds, on a logarithmic scale unless the range includes 0.
    package static func time(
        _ title: String, _ range: ClosedRange<Float>, initial: Float, _ summary: String, logarithmic: Bool = true
    ) -> Self { effect(title, range, initial, .millisecond, logarithmic && range.lowerBound > 0, summary) }

    /// A time in seconds, on a logarithmic scale.
    package static func duration(_ title: String, _ range: ClosedRange<Float>, initial: Float, _ summary: String) -> Self {
        effect(title, range, initial, .second, true, summary)
    }

    /// A phase in degrees, 0 to 180.
    package static func turn(_ title: String, initial: Float, _ summary: String) -> Self {
        effect(title, 0...180, initial, .degree, false, summary)
    }

    private static func effect(
        _ title: String, _ range: ClosedRange<Float>, _ initial: Float, _ unit: Unit, _ logarithmic: Bool,
        _ summary: String
    ) -> Self {
        .init(
            title: title, summary: summary, kind: .number(logarithmic: logarithmic), unit: unit, range: range,
            initial: .number(initial), smoothing: .effect)
    }
}
