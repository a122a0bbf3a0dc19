/// The ways in which effects declare their numbers.
extension ParameterSpec {
    /// A plain number.
    static func amount(
        _ title: String, _ range: ClosedRange<Float>, initial: Float, logarithmic: Bool = false, _ summary: String
    ) -> Self { effect(title, range, initial, .none, logarithmic, summary) }

    /// A part of a whole.
    static func share(
        _ title: String, _ range: ClosedRange<Float> = 0...1, initial: Float, _ summary: String
    ) -> Self { effect(title, range, initial, .none, false, summary) }

    /// A whole number.
    static func count(_ title: String, _ range: ClosedRange<Float>, initial: Float, _ summary: String) -> Self {
        .init(title: title, summary: summary, kind: .integer, range: range, initial: .number(initial))
    }

    /// Decibels that the effect itself takes.
    static func level(_ title: String, _ range: ClosedRange<Float>, initial: Float, _ summary: String) -> Self {
        effect(title, range, initial, .decibel, false, summary)
    }

    /// Hertz, on a logarithmic scale.
    static func pitch(_ title: String, _ range: ClosedRange<Float>, initial: Float, _ summary: String) -> Self {
        effect(title, range, initial, .hertz, true, summary)
    }

    /// Milliseconds, on a logarithmic scale unless that touches 0.
    static func time(
        _ title: String, _ range: ClosedRange<Float>, initial: Float, _ summary: String, logarithmic: Bool = true
    ) -> Self { effect(title, range, initial, .millisecond, logarithmic && range.lowerBound > 0, summary) }

    /// Seconds, on a logarithmic scale.
    static func duration(_ title: String, _ range: ClosedRange<Float>, initial: Float, _ summary: String) -> Self {
        effect(title, range, initial, .second, true, summary)
    }

    /// Degrees of half a turn.
    static func turn(_ title: String, initial: Float, _ summary: String) -> Self {
        effect(title, 0...180, initial, .degree, false, summary)
    }

    private static func effect(
        _ title: String, _ range: ClosedRange<Float>, _ initial: Float, _ unit: Unit, _ logarithmic: Bool,
        _ summary: String
    ) -> Self {
        .init(
            title: title, summary: summary, kind: .number(logarithmic: logarithmic), unit: unit, range: range,
            initial: .number(initial))
    }
}
