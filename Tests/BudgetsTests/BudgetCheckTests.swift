import Budgets
import Testing

/// The check must fail for each kind of excess, and name it. The reference takes 10 ns, so 20 ns are a ratio of 2.
struct BudgetCheckTests {
    /// Measurements of a group that differ from one try to the next.
    private final class Tries {
        private(set) var count = 0
        private let values: [Double]

        init(_ values: [Double]) { self.values = values }

        func next() -> Double {
            defer { count += 1 }
            return values[min(count, values.count - 1)]
        }
    }

    private static func result(_ name: String, _ nanoseconds: Double) -> BenchmarkResult {
        BenchmarkResult(name: name, value: nanoseconds, unit: "ns/frame")
    }

    private static func count(_ name: String, _ value: Double) -> BenchmarkResult {
        BenchmarkResult(name: name, value: value, unit: "per block", budget: 0)
    }

    private static func thresholds(_ ratios: [String: Double]) -> Thresholds {
        var thresholds = Thresholds(measured: [:], margin: 1)
        thresholds.ratios = ratios
        return thresholds
    }

    private static func run(_ groups: [BenchmarkGroup], _ ratios: [String: Double]?) throws -> BudgetCheck.Outcome {
        try BudgetCheck(groups: groups) { 10 }.run(ratios.map(thresholds)) { _ in }
    }

    @Test func budgetsThatAreKeptPass() throws {
        let groups = [
            BenchmarkGroup("a") { [Self.result("fast", 20), Self.count("allocations", 0)] },
            BenchmarkGroup("b") { [BenchmarkResult(name: "start", value: 1, unit: "ms to start")] },
        ]
        let outcome = try Self.run(groups, ["fast": 2, "start": 100_000])
        #expect(outcome.isPassed && outcome.ratios == ["fast": 2, "start": 100_000])
    }

    @Test func anExcessIsNamedWithItsLimit() throws {
        let groups = [BenchmarkGroup("a") { [Self.result("slow", 22.5), Self.result("fast", 20)] }]
        let outcome = try Self.run(groups, ["slow": 2, "fast": 2])
        #expect(!outcome.isPassed && outcome.unbudgeted.isEmpty && outcome.unmeasured.isEmpty)
        #expect(outcome.excesses.map(\.name) == ["slow"])
        #expect(outcome.excesses.map(\.found) == [2.25] && outcome.excesses.map(\.limit) == [2])
    }

    @Test func aResultWithoutABudgetFails() throws {
        let outcome = try Self.run([BenchmarkGroup("a") { [Self.result("new", 1)] }], [:])
        #expect(!outcome.isPassed && outcome.unbudgeted == ["new"] && outcome.excesses.isEmpty)
    }

    @Test func aBudgetWithoutAResultFails() throws {
        let outcome = try Self.run([BenchmarkGroup("a") { [Self.result("kept", 1)] }], ["kept": 1, "renamed": 1])
        #expect(!outcome.isPassed && outcome.unmeasured == ["renamed"] && outcome.excesses.isEmpty)
    }

    @Test func aCountAboveZeroFails() throws {
        let outcome = try Self.run([BenchmarkGroup("a") { [Self.count("allocations", 0.25), Self.count("locks", 0)] }], [:])
        #expect(!outcome.isPassed && outcome.excesses.map(\.name) == ["allocations"])
        #expect(outcome.excesses.map(\.found) == [0.25] && outcome.excesses.map(\.limit) == [0])
    }

    /// Rates and latencies have no budgets.
    @Test func otherUnitsAreIgnored() throws {
        let outcome = try Self.run([BenchmarkGroup("a") { [BenchmarkResult(name: "speed", value: 9, unit: "listeners")] }], [:])
        #expect(outcome.isPassed && outcome.ratios.isEmpty)
    }

    /// Another program can slow down a measurement, never speed it up: one good try counts, and ends the group.
    @Test func aSlowFirstTryIsRepeated() throws {
        let tries = Tries([90, 80, 20, 10])
        let groups = [BenchmarkGroup("a") { [Self.result("steady", tries.next())] }]
        let outcome = try Self.run(groups, ["steady": 2])
        #expect(outcome.isPassed && outcome.ratios == ["steady": 2] && tries.count == 3)
    }

    @Test func aGroupThatIsAlwaysSlowEnds() throws {
        let tries = Tries([40, 30, 50])
        let outcome = try Self.run([BenchmarkGroup("a") { [Self.result("slow", tries.next())] }], ["slow": 2])
        #expect(outcome.excesses.map(\.found) == [3] && tries.count == BudgetCheck.tries)
    }

    /// The faster of the two reference runs beside a group counts.
    @Test func theReferenceIsMeasuredBesideEachGroup() throws {
        let references = Tries([10, 5, 20, 40])
        let groups = ["a", "b"].map { name in BenchmarkGroup(name) { [Self.result(name, 20)] } }
        let outcome = try BudgetCheck(groups: groups, reference: references.next).run(Self.thresholds(["a": 4, "b": 1])) { _ in }
        #expect(outcome.ratios == ["a": 4, "b": 1] && outcome.isPassed && references.count == 4)
    }

    /// New budgets rest on the slowest of all tries.
    @Test func withoutBudgetsTheLargestRatioIsKept() throws {
        let tries = Tries([20, 60, 30, 40])
        let outcome = try Self.run([BenchmarkGroup("a") { [Self.result("new", tries.next())] }], nil)
        #expect(outcome.ratios == ["new": 6] && tries.count == BudgetCheck.tries)
    }

    @Test func progressNamesEachGroup() throws {
        var names: [String] = []
        let groups = ["a", "b"].map { BenchmarkGroup($0) { [] } }
        _ = try BudgetCheck(groups: groups) { 10 }.run(Self.thresholds([:])) { names.append($0) }
        #expect(names == ["a", "b"])
    }
}
