internal import Glibc

extension ParameterSpec {
    /// The nearest number that the parameter accepts: circular angles wrap around, other numbers are
    /// clamped. NaN becomes the initial value.
    public func bounded(_ value: Float) -> Float {
        if value.isNaN { return initial.numbers.first ?? 0 }
        let inside = min(max(turned(value), range.lowerBound), range.upperBound)
        switch kind {
        case .integer, .toggle, .choice: return inside.rounded()
        default: return inside
        }
    }

    /// Wraps an angle out of range by whole turns to the value nearest to 0; returns any other number unchanged.
    public func turned(_ value: Float) -> Float {
        guard isCircular, value.isFinite, !range.contains(value) else { return value }
        return value - 360 * (value / 360).rounded()
    }

    /// Whether numbers from outside became `taken` without being clamped: a circular value that was wrapped counts as stored as sent, and
    /// so does a number between 0 and 1 of a switch, which is on from 0.5 upwards.
    public func isStoredAsSent(_ asked: [Float], _ taken: [Float]) -> Bool {
        asked.isEmpty || asked.map(turned) == taken || kind == .toggle && asked.allSatisfy(range.contains)
    }

    /// The value as the audio thread uses it: decibels as a factor, everything else unchanged.
    /// The lowest value of a gain in decibels is silence.
    public func engineValue(_ value: Float) -> Float {
        guard unit == .decibel else { return value }
        return value <= range.lowerBound ? 0 : powf(10, value / 20)
    }

    /// True for numbers that a scene ramps to; everything else it sets at once.
    public var isGradual: Bool {
        if case .number = kind { access == .readWrite && !isStepped } else { false }
    }

    /// A value between two others along the parameter's scale: even steps, even ratios for a logarithmic one, the shorter
    /// way round for a circular one.
    ///
    /// - Parameter share: 0 for the first value, 1 for the second.
    public func between(_ from: Float, _ to: Float, _ share: Float) -> Float {
        if share >= 1 { return to }
        if isCircular {
            let way = to - from
            let reached = from + (way - 360 * (way / 360).rounded()) * share
            return reached - 360 * (reached / 360).rounded()
        }
        if case .number(logarithmic: true) = kind, from > 0, to > 0 { return bounded(from * powf(to / from, share)) }
        return bounded(from + (to - from) * share)
    }
}
