/// Tendency of the last ten medians of round trips: whether the network becomes slower.
public struct Tendency: Sendable {
    public static let count = 10
    private var values: [Double] = []

    public init() {}

    public mutating func add(_ value: Double) {
        if values.count == Self.count { values.removeFirst() }
        values.append(value)
    }

    /// Lowest of all values that are known.
    public var floor: Double? { values.min() }
    public var latest: Double? { values.last }

    /// Slope of the line of least squares through the values, per value; 0 with fewer than three.
    public var slope: Double {
        guard values.count >= 3 else { return 0 }
        let middle = Double(values.count - 1) / 2
        let mean = values.reduce(0, +) / Double(values.count)
        var (product, square) = (0.0, 0.0)
        for (index, value) in values.enumerated() {
            let distance = Double(index) - middle
            product += distance * (value - mean)
            square += distance * distance
        }
        return product / square
    }

    /// Whether the latest round trip is much longer than the shortest one, or the trend has added as much.
    ///
    /// - Parameter tolerance: milliseconds.
    public func isRising(beyond tolerance: Double) -> Bool {
        guard let floor, let latest else { return false }
        return latest > 2 * floor + tolerance || (latest > floor + tolerance / 2 && slope * Double(values.count - 1) > tolerance)
    }
}
