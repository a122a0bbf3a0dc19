import Foundation

/// The results of one participant as CSV.
public struct ResultsTable {
    private let definition: TestDefinition
    private let plan: TestPlan
    private let record: TestRecord

    public init(_ definition: TestDefinition, _ record: TestRecord) {
        self.definition = definition
        self.record = record
        plan = TestPlan(definition, seed: record.seed)
    }

    /// Ratings of the hidden reference outside of the training.
    public var screening: PostScreening {
        PostScreening(
            completed.filter { $0.trial.number > 0 }.flatMap { trial, answers in
                zip(trial.order, answers.scores).compactMap { $0 == 0 ? $1 : nil }
            })
    }

    private var completed: [(trial: TestPlan.Trial, answers: TestRecord.Answers)] {
        Array(zip(plan.trials, record.answers).prefix(record.trial)).map { ($0, $1) }
    }

    /// Outcome of the completed trials of an A/B/X test, without the training.
    public var comparison: ComparisonResult {
        let counted = completed.filter { $0.trial.number > 0 && $0.answers.answer != nil }
        return ComparisonResult(right: counted.count(where: Self.isRight), answered: counted.count)
    }

    private static func isRight(_ trial: TestPlan.Trial, _ answers: TestRecord.Answers) -> Bool {
        answers.answer.map { trial.order[$0] == trial.order[2] } ?? false
    }

    /// One row for each rating of the completed trials, or for each answer of an ABX test.
    public var csv: String {
        let rows = definition.kind == .mushra ? ratings : comparisons
        let header = definition.kind == .mushra ? Self.ratingColumns : Self.comparisonColumns
        return ([header] + rows).map { $0.map(Self.quoted).joined(separator: ",") + "\n" }.joined()
    }

    public static let ratingColumns = [
        "test", "participant", "listener", "seed", "trial", "training", "passage", "repetition", "position", "condition", "role", "score",
        "time", "listening_s", "reference_listening_s", "trial_s", "switches", "gain_db", "post_screening",
    ]

    public static let comparisonColumns = [
        "test", "participant", "listener", "seed", "trial", "training", "passage", "repetition", "a", "b", "x", "answer", "right", "time",
        "listening_a_s", "listening_b_s", "listening_x_s", "trial_s", "switches",
    ]

    private var ratings: [[String]] {
        let verdict = screening.isFlagged ? "excluded" : "ok"
        return completed.flatMap { trial, answers in
            trial.order.enumerated().map { position, index in
                let stimulus = definition.stimuli[index]
                return start(trial) + [
                    "\(position + 1)", stimulus.name, stimulus.role, answers.scores[position].map { Self.number($0, 1) } ?? "",
                    Self.time(answers.times[position]), Self.number(answers.heard[position + 1], 2), Self.number(answers.heard[0], 2),
                    Self.number(answers.seconds, 2), "\(answers.switches)", Self.number(gain(trial, index), 2), verdict,
                ]
            }
        }
    }

    private var comparisons: [[String]] {
        completed.map { trial, answers in
            let names = trial.order.map { definition.stimuli[$0] == .hiddenReference ? definition.reference : definition.stimuli[$0].name }
            return start(trial) + names + [
                answers.answer.map { ["A", "B"][$0] } ?? "", Self.isRight(trial, answers) ? "1" : "0", Self.time(answers.times[2]),
            ] + answers.heard.map { Self.number($0, 2) } + [Self.number(answers.seconds, 2), "\(answers.switches)"]
        }
    }

    private func start(_ trial: TestPlan.Trial) -> [String] {
        [
            record.test, record.participant, "\(record.listener)", "\(record.seed)", "\(trial.number)", trial.number == 0 ? "1" : "0",
            definition.passages[trial.passage].name, "\(trial.repetition)",
        ]
    }

    private func gain(_ trial: TestPlan.Trial, _ stimulus: Int) -> Double {
        record.gains.indices.contains(trial.passage) && record.gains[trial.passage].indices.contains(stimulus)
            ? record.gains[trial.passage][stimulus] : 0
    }

    private static func number(_ value: Double, _ digits: Int) -> String { String(format: "%.\(digits)f", value) }

    /// ISO 8601 in UTC; empty for none.
    private static func time(_ seconds: Double?) -> String {
        seconds.map { Date(timeIntervalSince1970: $0).formatted(.iso8601) } ?? ""
    }

    /// A field, in quotes where it needs them. Text that a spreadsheet would take for a formula gets an apostrophe.
    static func quoted(_ field: String) -> String {
        let isFormula = field.first.map { "=@+\t".contains($0) } ?? false
        let text = isFormula ? "'" + field : field
        let needsQuotes = text.contains { ",\"\n\r\r\n".contains($0) }
        return needsQuotes ? "\"" + text.replacingOccurrences(of: "\"", with: "\"\"") + "\"" : text
    }
}

/// Outcome of an A/B/X test: the number of right answers, and the probability of at least as many by guessing.
public struct ComparisonResult: Sendable, Equatable {
    public let right: Int
    public let answered: Int

    public init(right: Int, answered: Int) { (self.right, self.answered) = (right, answered) }

    /// Probability of at least as many right answers by guessing: the upper tail of the binomial distribution with a share of one half.
    public var guessing: Double {
        guard right > 0 else { return 1 }
        func logChoose(_ k: Int) -> Double {
            lgamma(Double(answered) + 1) - lgamma(Double(k) + 1) - lgamma(Double(answered - k) + 1) - Double(answered) * log(2)
        }
        return min(1, (right...max(right, answered)).reduce(0) { $0 + exp(logChoose($1)) })
    }

    /// A sentence for a person.
    public func words(_ methods: [String]) -> String {
        guard answered > 0 else { return "nothing was answered" }
        let percent = String(format: guessing < 0.01 ? "%.2g" : "%.1f", guessing * 100)
        return "\(right) of \(answered) correct (\(methods.joined(separator: " against "))); probability of at least as many by guessing: "
            + "\(percent) %"
    }
}

/// The rule for excluding a participant's ratings (ITU-R BS.1534-3, section 4.1.2): the hidden reference was rated below 90 in over 15 % of
/// the trials.
public struct PostScreening: Sendable, Equatable {
    public static let lowest = 90.0
    public static let share = 0.15

    /// Rated trials, without the training, and those whose hidden reference was rated below ``lowest``.
    public let rated: Int
    public let low: Int

    public var isFlagged: Bool { Double(low) > Self.share * Double(rated) }

    /// - Parameter hiddenReferences: ratings of the hidden reference.
    public init(_ hiddenReferences: [Double]) {
        rated = hiddenReferences.count
        low = hiddenReferences.count { $0 < Self.lowest }
    }
}
