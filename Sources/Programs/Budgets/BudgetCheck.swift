/// Measures every budgeted result beside the reference loop and finds those that exceed their budgets.
package struct BudgetCheck {
    /// A result that is too slow, or a count that is not 0.
    package struct Excess {
        package let name: String
        package let found: Double
        package let limit: Double
    }

    package struct Outcome {
        /// Ratio to the reference loop, by name.
        package var ratios: [String: Double] = [:]
        package var excesses: [Excess] = []
        /// Timed results without a budget in the file.
        package var unbudgeted: [String] = []
        /// Budgets without a result.
        package var unmeasured: [String] = []
        package var isPassed: Bool { excesses.isEmpty && unbudgeted.isEmpty && unmeasured.isEmpty }
    }

    /// Number of measurements of a group that exceeds a budget, since other programs can only make a result slower.
    package static let tries = 4
    private let groups: [BenchmarkGroup]
    private let reference: () -> Double

    /// - Parameter reference: measures the reference loop, nanoseconds per frame.
    package init(groups: [BenchmarkGroup], reference: @escaping () -> Double) { (self.groups, self.reference) = (groups, reference) }

    /// - Parameters:
    ///   - thresholds: the budgets; nil only measures.
    ///   - progress: called before each group with its name.
    package func run(_ thresholds: Thresholds?, progress: (String) -> Void) throws -> Outcome {
        var outcome = Outcome()
        for group in groups {
            progress(group.name)
            let (ratios, counts) = try measure(group, thresholds)
            outcome.ratios.merge(ratios) { $1 }
            let most = thresholds?.counts ?? 0
            for (name, count) in counts where count > most { outcome.excesses.append(Excess(name: name, found: count, limit: most)) }
            guard let thresholds else { continue }
            for (name, ratio) in ratios.sorted(by: { $0.key < $1.key }) {
                guard let limit = thresholds.ratios[name] else {
                    outcome.unbudgeted.append(name)
                    continue
                }
                if ratio > limit { outcome.excesses.append(Excess(name: name, found: ratio, limit: limit)) }
            }
        }
        outcome.unmeasured = (thresholds?.ratios.keys.filter { outcome.ratios[$0] == nil } ?? []).sorted()
        return outcome
    }

    /// Returns the smallest ratio of each result of a group and its counts; without thresholds the largest ratio, as a basis
    /// for new budgets.
    private func measure(_ group: BenchmarkGroup, _ thresholds: Thresholds?) throws -> (ratios: [String: Double], counts: [String: Double])
    {
        var ratios: [String: Double] = [:]
        var counts: [String: Double] = [:]
        for _ in 0..<Self.tries {
            let before = reference()
            let results = try group.measure()
            let unit = min(before, reference())
            for result in results {
                if let nanoseconds = result.nanoseconds {
                    let ratio = nanoseconds / unit
                    ratios[result.name] = ratios[result.name].map { thresholds == nil ? max($0, ratio) : min($0, ratio) } ?? ratio
                } else if result.isCount {
                    counts[result.name] = min(counts[result.name] ?? .infinity, result.value)
                }
            }
            guard let thresholds else { continue }
            let isWithin =
                ratios.allSatisfy { $0.value <= thresholds.ratios[$0.key] ?? .infinity }
                && counts.values.allSatisfy { $0 <= thresholds.counts }
            if isWithin { break }
        }
        return (ratios, counts)
    }
}
