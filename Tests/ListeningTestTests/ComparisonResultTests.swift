import ListeningTest
import Testing

@Suite struct ComparisonResultTests {
    /// Tails of the binomial distribution, counted by hand: the sum of n over k divided by 2 to the power of n.
    @Test(arguments: [(0, 0, 1), (0, 5, 32), (1, 1, 1), (5, 5, 1), (7, 8, 9), (8, 10, 56), (12, 16, 2517)])
    func guessing(right: Int, answered: Int, ways: Int) {
        let expected = Double(ways) / Double(1 << answered)
        let guessing: Double = ComparisonResult(right: right, answered: answered).guessing
        #expect(abs(guessing - expected) < 1e-12)
    }

    @Test func largeNumbersStayExact() {
        // 100 of 100: 2 to the power of -100.
        let guessing: Double = ComparisonResult(right: 100, answered: 100).guessing
        let share = guessing * Double(sign: .plus, exponent: 100, significand: 1)
        #expect(abs(share - 1) < 1e-9)
    }

    @Test func wordsNameCountAndProbability() {
        let words = ComparisonResult(right: 7, answered: 8).words(["linear", "ring"])
        #expect(words == "7 of 8 correct (linear against ring); probability of at least as many by guessing: 3.5 %")
        #expect(ComparisonResult(right: 0, answered: 0).words(["linear", "ring"]) == "nothing was answered")
    }

    /// Answers of the training do not count.
    @Test func answersAreCountedFromTheTable() throws {
        let text = #"""
            {"title": "T", "kind": "abx", "reference": "ring", "conditions": ["linear"], "repetitions": 8, "training": "p",
             "passages": [{"name": "p", "recording": "a.wav"}]}
            """#
        let definition = try TestDefinition(json: text, name: "t")
        var record = TestRecord(test: "T", definition: "", participant: "P", listener: 1, seed: 5, begun: 0, gains: [[0, 0]])
        for trial in TestPlan(definition, seed: 5).trials {
            record.begin(trial, .abx)
            let isRight = trial.number != 3
            record.answers[record.trial].answer = (trial.order[0] == trial.order[2]) == isRight ? 0 : 1
            record.trial += 1
        }
        #expect(ResultsTable(definition, record).comparison == ComparisonResult(right: 7, answered: 8))
    }
}
