internal import Foundation
public import Testing

// Figures that depend on the machine: times, rates, memory. `make test` says whether the program is right and asserts none of them;
// `make measure` says how fast it is. Suites of such tests are called `…Figures`, by which `make measure` finds them.

extension Trait where Self == ConditionTrait {
    /// Runs a test in `make measure` only, which sets `MEASURE`.
    public static var measured: Self {
        enabled(if: ProcessInfo.processInfo.environment["MEASURE"] != nil, "measured by make measure")
    }
}

/// Prints a figure and its limit for the table of `make measure`. No test fails because of a figure.
///
/// - Parameters:
///   - name: what is measured.
///   - limit: the value should be this at most.
public func figure(_ name: String, _ value: Double, limit: Double, unit: String) {
    print("figure: \(name) = \((value * 1000).rounded() / 1000) \(unit) (limit \(limit))")
}
