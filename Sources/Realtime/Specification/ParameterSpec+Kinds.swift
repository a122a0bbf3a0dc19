/// Declarations of parameters, one function for each kind.
extension ParameterSpec {
    public static func decibels(
        _ title: String, _ range: ClosedRange<Float>, initial: Float = 0, _ summary: String, role: Role? = nil
    ) -> Self {
        .init(title: title, summary: summary, unit: .decibel, range: range, initial: .number(initial), role: role)
    }

    public static func degrees(
        _ title: String, _ range: ClosedRange<Float>, initial: Float = 0, _ summary: String, role: Role? = nil
    ) -> Self {
        .init(title: title, summary: summary, unit: .degree, range: range, initial: .number(initial), role: role)
    }

    public static func seconds(
        _ title: String, _ range: ClosedRange<Float>, _ summary: String, access: Access = .readWrite,
        role: Role? = nil
    ) -> Self {
        .init(
            title: title, summary: summary, unit: .second, range: range, initial: .number(range.lowerBound),
            access: access, role: role)
    }

    /// A whole number whose initial value is the lowest of its range.
    public static func integer(
        _ title: String, _ range: ClosedRange<Float>, _ summary: String, role: Role? = nil
    ) -> Self {
        .init(title: title, summary: summary, kind: .integer, range: range, initial: .number(range.lowerBound), role: role)
    }

    public static func toggle(
        _ title: String, initial: Bool = false, _ summary: String, access: Access = .readWrite, role: Role? = nil
    ) -> Self {
        .init(
            title: title, summary: summary, kind: .toggle, range: 0...1, initial: .number(initial ? 1 : 0),
            access: access, role: role)
    }

    public static func choice(
        _ title: String, _ names: [String], initial: Int = 0, _ summary: String, access: Access = .readWrite,
        role: Role? = nil
    ) -> Self {
        .init(
            title: title, summary: summary, kind: .choice(names), range: 0...Float(max(names.count - 1, 0)),
            initial: .number(Float(initial)), access: access, role: role)
    }

    /// A choice whose names the program finds at its start.
    public static func choice(
        _ title: String, from list: ChoiceList, _ summary: String, access: Access = .readWrite, role: Role? = nil
    ) -> Self {
        var spec = choice(title, [], summary, access: access, role: role)
        spec.list = list
        return spec
    }

    public static func vector(
        _ title: String, _ names: [String], _ range: ClosedRange<Float>, initial: [Float], unit: Unit,
        _ summary: String, access: Access = .readWrite, role: Role? = nil
    ) -> Self {
        .init(
            title: title, summary: summary, kind: .vector(names), unit: unit, range: range,
            initial: .init(numbers: initial), access: access, role: role)
    }

    /// A row of numbers, as many as the recording requires; one that can be set may be shorter, or empty.
    public static func list(
        _ title: String, _ range: ClosedRange<Float>, unit: Unit, _ summary: String, access: Access = .read,
        role: Role? = nil
    ) -> Self {
        .init(
            title: title, summary: summary, kind: .list, unit: unit, range: range, initial: .init(numbers: []),
            access: access, role: role)
    }

    /// A read-only number that the engine reports.
    public static func gauge(
        _ title: String, _ range: ClosedRange<Float>, unit: Unit = .none, _ summary: String, initial: Float? = nil,
        role: Role? = nil
    ) -> Self {
        .init(
            title: title, summary: summary, unit: unit, range: range, initial: .number(initial ?? range.lowerBound),
            access: .read, role: role)
    }

    /// A read-only count of events.
    public static func counter(_ title: String, _ summary: String, role: Role? = .count) -> Self {
        .init(
            title: title, summary: summary, kind: .integer, range: 0...Float(Int32.max), initial: .number(0),
            access: .read, role: role)
    }

    public static func text(
        _ title: String, _ summary: String, access: Access = .readWrite, role: Role? = nil
    ) -> Self {
        .init(
            title: title, summary: summary, kind: .text, range: 0...0, initial: .text(""), access: access,
            role: role)
    }

    public static func impulse(_ title: String, _ summary: String, role: Role? = nil) -> Self {
        .init(
            title: title, summary: summary, kind: .impulse, range: 0...0, initial: .impulse, access: .write,
            role: role)
    }
}

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
