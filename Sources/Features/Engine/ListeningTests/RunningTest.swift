import Foundation
import ListeningTest

/// One participant's test while it runs: answers, switches and times. Independent of the renderer.
struct RunningTest {
    let definition: TestDefinition
    let plan: TestPlan
    /// Length of each passage in seconds.
    let lengths: [Double]
    private(set) var record: TestRecord
    private(set) var motion: TestMotion
    /// Sound that plays, as the participant sees it.
    private(set) var heard = 0
    /// Part of the passage that is repeated, seconds in the passage.
    private(set) var region: ClosedRange<Double> = 0...0

    init(_ definition: TestDefinition, _ record: TestRecord, motion: String, lengths: [Double]) {
        (self.definition, self.record, self.lengths) = (definition, record, lengths)
        plan = TestPlan(definition, seed: record.seed)
        self.motion = TestMotion(motion)
        enter()
    }

    /// The present trial; nil when the test is complete.
    var trial: TestPlan.Trial? { plan.trials.indices.contains(record.trial) ? plan.trials[record.trial] : nil }

    private var isMushra: Bool { definition.kind == .mushra }

    /// Number of sounds that can be heard, the reference included.
    var choices: Int { trial.map { $0.order.count + (isMushra ? 1 : 0) } ?? 0 }

    /// Index in the definition's stimuli of each sound that can be heard.
    var order: [Int] { trial.map { (isMushra ? [0] : []) + $0.order } ?? [] }

    private var answers: TestRecord.Answers? { record.answers.last }

    private mutating func enter() {
        guard let trial else { return }
        record.begin(trial, definition.kind)
        heard = 0
        region = 0...lengths[trial.passage]
    }

    // MARK: The participant

    /// - Returns: whether the sound was switched to.
    mutating func hear(_ sound: Int) -> Bool {
        guard (0..<choices).contains(sound) else { return false }
        if sound != heard { record.answers[record.trial].switches += 1 }
        heard = sound
        return true
    }

    /// - Parameter sound: from 1.
    mutating func rate(_ sound: Int, _ score: Double, at time: Double) -> Bool {
        guard isMushra, (1..<max(1, choices)).contains(sound), score.isFinite else { return false }
        record.answers[record.trial].scores[sound - 1] = min(max(score, 0), 100)
        record.answers[record.trial].times[sound - 1] = time
        return true
    }

    /// - Parameter sound: 0 for A, 1 for B.
    mutating func answer(_ sound: Int, at time: Double) -> Bool {
        guard !isMushra, trial != nil, (0...1).contains(sound) else { return false }
        record.answers[record.trial].answer = sound
        record.answers[record.trial].times[2] = time
        return true
    }

    /// - Parameters:
    ///   - from: seconds in the passage.
    ///   - to: the same; at least half a second later.
    mutating func choose(from: Double, to: Double) -> Bool {
        guard let trial, from.isFinite, to.isFinite else { return false }
        let length = lengths[trial.passage]
        let start = min(max(from, 0), max(0, length - 0.5))
        region = start...min(max(to, start + 0.5), max(length, start + 0.5))
        return true
    }

    /// Whether everything in the trial has been answered.
    var isAnswered: Bool {
        guard let answers else { return false }
        return isMushra ? answers.scores.allSatisfy { $0 != nil } : answers.answer != nil
    }

    /// Advances to the next trial.
    /// - Returns: false while something is not answered.
    mutating func advance() -> Bool {
        guard trial != nil, isAnswered else { return false }
        record.trial += 1
        enter()
        return true
    }

    // MARK: Time

    /// Counts time that has passed, and notes where the head is.
    ///
    /// - Parameters:
    ///   - seconds: since the last call.
    ///   - position: seconds in the passage.
    mutating func pass(_ seconds: Double, isPlaying: Bool, position: Double, ypr: [Float], time: Double) {
        guard let trial else { return }
        record.answers[record.trial].seconds += seconds
        if isPlaying { record.answers[record.trial].heard[heard] += seconds }
        motion.add(
            time: time - record.begun, trial: trial.number, isPlaying: isPlaying, position: position, sound: heard,
            condition: definition.stimuli[order[heard]].name, ypr: ypr)
    }

    // MARK: Reports

    var table: String { ResultsTable(definition, record).csv }

    /// Progress in words.
    var words: String {
        guard let trial else {
            let screening = ResultsTable(definition, record).screening
            let verdict =
                definition.kind == .mushra && screening.isFlagged
                ? "; to be excluded: the hidden reference was rated below 90 in \(screening.low) of \(counted(screening.rated, "trial"))"
                : ""
            return "\(record.participant): complete" + verdict
        }
        let name = trial.number == 0 ? "training" : "trial \(trial.number) of \(count)"
        return "\(record.participant): \(name)"
    }

    /// Number of trials without the training.
    var count: Int { plan.trials.last?.number ?? 0 }

    /// Fills in the participant's view of the trial.
    func describe(_ view: inout ParticipantView) {
        view.title = definition.title
        view.question = definition.question
        view.kind = definition.kind.rawValue
        view.participant = record.participant
        view.listener = record.listener
        view.trials = count
        view.isBegun = record.trial > 0 || (answers?.seconds ?? 0) > 0
        guard let trial, let answers else { return }
        view.trial = trial.number
        view.sounds = trial.order.count
        view.heard = heard
        view.scores = isMushra ? answers.scores : answers.answer.map { [Double($0)] } ?? []
        view.length = (lengths[trial.passage] * 100).rounded() / 100
        view.region = [region.lowerBound, region.upperBound]
    }
}

/// Head motion during a test, as CSV.
struct TestMotion {
    static let header = "time,trial,playing,passage_time,sound,condition,yaw,pitch,roll\n"

    private(set) var text: String

    /// - Parameter text: rows so far, with their header; empty for none.
    init(_ text: String) { self.text = text.isEmpty ? Self.header : text }

    /// - Parameters:
    ///   - time: seconds since the participant began.
    ///   - position: seconds in the passage.
    ///   - sound: as the participant sees it: 0 for the reference, otherwise the position.
    ///   - ypr: degrees.
    mutating func add(time: Double, trial: Int, isPlaying: Bool, position: Double, sound: Int, condition: String, ypr: [Float]) {
        let angles = ypr.map { String(format: "%.2f", $0) }.joined(separator: ",")
        text += String(format: "%.3f,%d,%d,%.2f,%d,", time, trial, isPlaying ? 1 : 0, position, sound) + condition + "," + angles + "\n"
    }
}
