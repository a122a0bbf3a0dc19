import MIDI
import Parameters

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
