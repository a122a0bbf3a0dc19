import Budgets

/// Allocations, locks and system calls per block, each of which has to be 0.
package struct RealtimeCounts {
    var allocations: Double
    var locks: Double
    /// Share of the blocks with a system call; nil where they cannot be counted.
    var systemCalls: Double?

    /// One result each.
    func results(_ name: String) -> [BenchmarkResult] {
        func result(_ what: String, _ value: Double) -> BenchmarkResult {
            BenchmarkResult(name: "\(name): \(what) per block", value: value, unit: "", budget: 0)
        }
        return [result("allocations", allocations), result("locks", locks)] + (systemCalls.map { [result("system calls", $0)] } ?? [])
    }
}
