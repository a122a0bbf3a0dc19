extension ParameterSpec {
    /// A value as text for people: at most three decimals, and the unit.
    public func words(_ value: ParameterValue) -> String {
        switch (kind, value) {
        case (.choice(let names), .number(let index)) where names.indices.contains(Int(clamping: index)):
            return names[Int(clamping: index)]
        case (.toggle, .number(let number)): return number != 0 ? "on" : "off"
        case (_, .text(let text)): return text.isEmpty ? "nothing" : text
        case (_, .impulse): return ""
        default:
            let numbers = value.numbers.map(Self.plainWords)
            return numbers.isEmpty ? "none" : numbers.joined(separator: " ") + unit.sign
        }
    }

    /// A number with at most three decimals.
    public static func plainWords(_ number: Float) -> String {
        let rounded = abs(number) < 1e6 ? (number * 1000).rounded() / 1000 : number
        let text = "\(rounded == 0 ? 0 : rounded)"
        return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }
}

extension ParameterSpec.Unit {
    /// The sign after a number, with the space before it.
    package var sign: String {
        switch self {
        case .none, .linearGain: ""
        case .decibel: " dB"
        case .hertz: " Hz"
        case .second: " s"
        case .millisecond: " ms"
        case .sample: " frames"
        case .degree: "°"
        case .metre: " m"
        case .cent: " cents"
        case .beatsPerMinute: " bpm"
        case .degreesPerMinute: "°/min"
        case .percent: " %"
        case .partsPerMillion: " ppm"
        case .celsius: " °C"
        case .kilobitsPerSecond: " kbit/s"
        }
    }
}
