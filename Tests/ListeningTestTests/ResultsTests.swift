import ListeningTest
import Testing

@Suite struct ResultsTests {
    static let text = #"""
        {"title": "T", "reference": "ring", "conditions": ["linear"], "anchors": [3500], "training": "p, 1",
         "passages": [{"name": "p, 1", "recording": "a.wav"}, {"name": "p2", "recording": "b.wav"}]}
        """#

    /// A record with all trials answered; `score` gives the rating of a stimulus in a trial.
    static func record(_ definition: TestDefinition, seed: Int, score: (Int, Int) -> Double) -> TestRecord {
        var record = TestRecord(
            test: "T", definition: "", participant: "P01", listener: 2, seed: seed, begun: 0, gains: [[0, -1.5, -2], [-3, 0, -1]])
        for trial in TestPlan(definition, seed: seed).trials {
            record.begin(trial, definition.kind)
            for (position, stimulus) in trial.order.enumerated() {
                record.answers[record.trial].scores[position] = score(trial.number, stimulus)
                record.answers[record.trial].times[position] = 1_700_000_000
                record.answers[record.trial].heard[position + 1] = Double(stimulus) + 0.5
            }
            record.answers[record.trial].heard[0] = 7
            record.trial += 1
        }
        return record
    }

    @Test func oneRowForEachRating() throws {
        let definition = try TestDefinition(json: Self.text, name: "t")
        let record = Self.record(definition, seed: 3) { trial, stimulus in Double(100 - 10 * stimulus - trial) }
        let lines = ResultsTable(definition, record).csv.split(separator: "\n").map(String.init)
        #expect(lines[0] == ResultsTable.ratingColumns.joined(separator: ","))
        #expect(lines.count == 1 + 3 * 3)
        let hidden = lines.filter { $0.contains(",reference,hidden-reference,") }
        #expect(hidden.count == 3)
        // The training is marked, a name with a comma is quoted, and the position belongs to the condition.
        #expect(lines[1].hasPrefix("T,P01,2,3,0,1,\"p, 1\",1,1,"))
        let order = TestPlan(definition, seed: 3).trials[0].order
        let place = try #require(order.firstIndex(of: 2))
        #expect(lines[1 + place].hasSuffix(",\(place + 1),anchor-3500,anchor,80.0,2023-11-14T22:13:20Z,2.50,7.00,0.00,0,-2.00,ok"))
    }

    @Test func onlyCompletedTrialsAreWritten() throws {
        let definition = try TestDefinition(json: Self.text, name: "t")
        var record = Self.record(definition, seed: 3) { _, _ in 50 }
        record.trial = 2
        #expect(ResultsTable(definition, record).csv.split(separator: "\n").count == 1 + 2 * 3)
    }

    /// The rule of BS.1534-3: below 90 in more than 15 % of the trials.
    @Test(arguments: [(20, 3, false), (20, 4, true), (1, 1, true), (7, 1, false), (6, 1, true), (0, 0, false)])
    func postScreening(rated: Int, low: Int, isFlagged: Bool) {
        let scores = [Double](repeating: 89.9, count: low) + [Double](repeating: 90, count: rated - low)
        #expect(PostScreening(scores).isFlagged == isFlagged)
    }

    @Test func participantsWhoMissTheHiddenReferenceAreFlaggedButNotByTheTraining() throws {
        let definition = try TestDefinition(json: Self.text, name: "t")
        let training = Self.record(definition, seed: 3) { trial, stimulus in trial == 0 ? 10 : stimulus == 0 ? 95 : 20 }
        #expect(!ResultsTable(definition, training).screening.isFlagged)
        let missed = Self.record(definition, seed: 3) { trial, stimulus in trial == 2 ? 50 : 100 }
        let table = ResultsTable(definition, missed)
        #expect(table.screening == PostScreening([100, 50]) && table.screening.isFlagged)
        #expect(table.csv.split(separator: "\n").dropFirst().allSatisfy { $0.hasSuffix(",excluded") })
    }

    @Test func answersOfAnABXTest() throws {
        let text = Self.text.replacing("{\"title\"", with: "{\"kind\": \"abx\", \"title\"").replacing("\"anchors\": [3500], ", with: "")
        let definition = try TestDefinition(json: text, name: "t")
        var record = TestRecord(test: "T", definition: "", participant: "P", listener: 1, seed: 8, begun: 0, gains: [])
        let plan = TestPlan(definition, seed: 8)
        for trial in plan.trials {
            record.begin(trial, .abx)
            // Right in the first trial, wrong in the others.
            let right = trial.order[2] == trial.order[0] ? 0 : 1
            record.answers[record.trial].answer = record.trial == 0 ? right : 1 - right
            record.trial += 1
        }
        let rows = ResultsTable(definition, record).csv.split(separator: "\n").map {
            $0.split(separator: ",", omittingEmptySubsequences: false)
        }
        let right = try #require(rows[0].firstIndex(of: "right"))
        // The name of the passage has a comma.
        #expect(rows.dropFirst().map { $0[$0.count - (rows[0].count - right)] } == ["1", "0", "0"])
    }
}
