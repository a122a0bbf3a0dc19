internal import Parameters

/// Numbers that a parameter without a handler stores as they are.
struct PlainNumber {
    private let range: ClosedRange<Float>
    private let isWhole: Bool

    /// - Returns: nil for a parameter that is not a single writable number.
    init?(_ spec: ParameterSpec) {
        guard spec.access == .readWrite else { return nil }
        switch spec.kind {
        case .number: isWhole = false
        case .integer, .toggle, .choice: isWhole = true
        case .vector, .list, .text, .impulse: return nil
        }
        range = spec.range
    }

    func accepts(_ number: Float) -> Bool { range.contains(number) && (!isWhole || number == number.rounded()) }
}
