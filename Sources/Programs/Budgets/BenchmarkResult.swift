/// One line of the benchmark's table.
package struct BenchmarkResult: Encodable {
    package let name: String
    package let value: Double
    package let unit: String
    /// Target value, where the project has set one.
    package var budget: Double?
    /// Value of a comparison measured alongside, in the same unit.
    package var beside: Double?
    package var besideName: String?

    package init(
        name: String, value: Double, unit: String, budget: Double? = nil, beside: Double? = nil, besideName: String? = nil
    ) {
        (self.name, self.value, self.unit, self.budget) = (name, value, unit, budget)
        (self.beside, self.besideName) = (beside, besideName)
    }

    /// The value in nanoseconds where it is a processing time that a budget can limit; nil for counts, rates and latencies.
    package var nanoseconds: Double? {
        switch unit {
        case "ns/frame", "ns/message": value
        case "us": value * 1e3
        case "ms to start": value * 1e6
        default: nil
        }
    }

    /// Whether the value counts something that must not happen.
    package var isCount: Bool { budget == 0 }
}
