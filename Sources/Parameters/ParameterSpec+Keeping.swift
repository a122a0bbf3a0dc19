internal import Glibc

/// What sessions, undo and scenes do with a parameter.
extension ParameterSpec {
    /// True for what somebody sets to stay: sessions keep it, undo brings it back. Where heads point is not of that kind;
    /// the layout of a rack is kept with the rack, and the quaternion says the same as the angles.
    public var isKept: Bool {
        access == .readWrite && role != .orientationEuler && role != .orientationQuaternion && role != .rackLayout
    }

    /// Whether a scene walks to its value instead of setting it at once.
    public var isGradual: Bool {
        if case .number = kind { access == .readWrite && !isStepped } else { false }
    }

    /// On the way from one value to another, along the parameter's scale: even steps, or even ratios for a logarithmic one.
    ///
    /// - Parameter share: of the way, 0 to 1.
    public func between(_ from: Float, _ to: Float, _ share: Float) -> Float {
        if share >= 1 { return to }
        if role == .objectAzimuth {
            // The shorter way round.
            let way = to - from
            let reached = from + (way - 360 * (way / 360).rounded()) * share
            return reached - 360 * (reached / 360).rounded()
        }
        if case .number(logarithmic: true) = kind, from > 0, to > 0 { return clamped(from * powf(to / from, share)) }
        return clamped(from + (to - from) * share)
    }

    /// A value as a person reads it: three decimals at most, and the unit.
    public func words(_ value: ParameterValue) -> String {
        switch (kind, value) {
        case (.choice(let names), .number(let index)) where names.indices.contains(Int(index)): return names[Int(index)]
        case (.toggle, .number(let number)): return number != 0 ? "on" : "off"
        case (_, .text(let text)): return text.isEmpty ? "nothing" : text
        case (_, .impulse): return ""
        default:
            let numbers = value.numbers.map(Self.plainWords)
            return numbers.isEmpty ? "none" : numbers.joined(separator: " ") + unit.sign
        }
    }

    /// Three decimals at most.
    public static func plainWords(_ number: Float) -> String {
        let rounded = abs(number) < 1e6 ? (number * 1000).rounded() / 1000 : number
        let text = "\(rounded == 0 ? 0 : rounded)"
        return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }
}

extension ParameterSpec.Unit {
    /// Behind a number; a degree sign stands close.
    var sign: String {
        switch self {
        case .none, .linearGain: ""
        case .decibel: " dB"
        case .hertz: " Hz"
        case .second: " s"
        case .millisecond: " ms"
        case .sample: " frames"
        case .degree: "°"
        case .metre: " m"
        }
    }
}
