/// State of one participant's test, kept in a file, so that it continues after a restart.
public struct TestRecord: Sendable, Equatable, Codable {
    /// Answers of one trial, by position.
    public struct Answers: Sendable, Equatable, Codable {
        /// Ratings from 0 to 100; nil where none was given yet.
        public var scores: [Double?]
        /// Seconds since 1970 of each last rating.
        public var times: [Double?]
        /// Seconds for which each sound was heard: the reference first for a MUSHRA trial.
        public var heard: [Double]
        /// Number of switches between sounds.
        public var switches = 0
        /// Answer of an ABX trial: 0 if X was taken for A, 1 for B; nil while there is none.
        public var answer: Int?
        /// Seconds spent on the trial.
        public var seconds = 0.0
    }

    /// Name of the test's definition.
    public var test: String
    /// Text of the definition when the participant began.
    public var definition: String
    public var participant: String
    /// From 1.
    public var listener: Int
    public var seed: Int
    /// Seconds since 1970.
    public var begun: Double
    /// Gain in dB of each passage's sounds, in the order of ``TestDefinition/stimuli``.
    public var gains: [[Double]]
    /// Index of the current trial; the number of trials when the test is complete.
    public var trial = 0
    public var answers: [Answers] = []

    public init(
        test: String, definition: String, participant: String, listener: Int, seed: Int, begun: Double, gains: [[Double]]
    ) {
        self.test = test
        self.definition = definition
        self.participant = participant
        self.listener = listener
        self.seed = seed
        self.begun = begun
        self.gains = gains
    }

    /// Makes room for the answers of a trial.
    public mutating func begin(_ trial: TestPlan.Trial, _ kind: TestDefinition.Kind) {
        guard answers.count == self.trial else { return }
        let count = trial.order.count
        answers.append(
            Answers(
                scores: .init(repeating: nil, count: count), times: .init(repeating: nil, count: count),
                heard: .init(repeating: 0, count: kind == .mushra ? count + 1 : count)))
    }
}
