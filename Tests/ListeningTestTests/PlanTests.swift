import ListeningTest
import Testing

@Suite struct PlanTests {
    static func definition(_ more: String = "", passages: Int = 4) throws -> TestDefinition {
        let list = (1...passages).map { #"{"name": "p\#($0)", "recording": "a.wav"}"# }.joined(separator: ", ")
        return try TestDefinition(
            json: #"{"title": "T", \#(more) "reference": "ring", "conditions": ["linear", "nearest"], "passages": [\#(list)]}"#, name: "t")
    }

    @Test(arguments: [1, 2, 3, 4711, 16_777_215]) func everyOrderIsAPermutation(_ seed: Int) throws {
        let definition = try Self.definition(#""repetitions": 3,"#)
        let plan = TestPlan(definition, seed: seed)
        #expect(plan.trials.map(\.number) == Array(1...12))
        for passage in 0..<4 {
            #expect(plan.trials.filter { $0.passage == passage }.map(\.repetition).sorted() == [1, 2, 3])
        }
        for trial in plan.trials { #expect(trial.order.sorted() == [0, 1, 2, 3, 4]) }
    }

    @Test func theSeedDeterminesAllOrders() throws {
        let definition = try Self.definition()
        #expect(TestPlan(definition, seed: 5) == TestPlan(definition, seed: 5))
        let plans = (1...20).map { TestPlan(definition, seed: $0) }
        #expect(Set(plans.map { $0.trials.map(\.passage) }).count > 10)
        #expect(Set(plans.map { $0.trials[0].order }).count > 10)
    }

    /// Each position is taken by each sound about as often: chi-squared under its 99.9 % point for 4 degrees of freedom.
    @Test func noPositionPrefersASound() throws {
        let definition = try Self.definition(passages: 1)
        var counts = [[Int]](repeating: .init(repeating: 0, count: 5), count: 5)
        for seed in 1...2000 {
            for (position, sound) in TestPlan(definition, seed: seed).trials[0].order.enumerated() { counts[position][sound] += 1 }
        }
        for row in counts {
            let distance = row.reduce(0.0) { $0 + Double(($1 - 400) * ($1 - 400)) / 400 }
            #expect(distance < 18.5, "\(row)")
        }
    }

    @Test func trainingComesFirstAndIsNotCounted() throws {
        let plan = TestPlan(try Self.definition(#""training": "p3","#), seed: 1)
        #expect(plan.trials.map(\.number) == [0, 1, 2, 3, 4])
        #expect(plan.trials[0].passage == 2)
    }

    @Test func xIsAOrBAndBothOccur() throws {
        let definition = try Self.definition(#""kind": "abx", "repetitions": 25,"#)
        let plan = TestPlan(definition, seed: 9)
        #expect(plan.trials.count == 4 * 25 * 2)
        for trial in plan.trials {
            #expect(trial.order.count == 3 && trial.order[0] != trial.order[1] && trial.order.prefix(2).contains(0))
            #expect(trial.order[2] == trial.order[0] || trial.order[2] == trial.order[1])
        }
        let first = plan.trials.count { $0.order[2] == $0.order[0] }
        #expect((70...130).contains(first), "X is A in \(first) of 200")
    }
}
