/// A listening test, as its file defines it.
public struct TestDefinition: Sendable, Equatable {
    public enum Kind: String, Sendable, CaseIterable {
        /// Ratings from 0 to 100 beside a reference (ITU-R BS.1534).
        case mushra
        /// Whether X is A or B.
        case abx
    }

    /// A part of a recording.
    public struct Passage: Sendable, Equatable {
        public var name: String
        /// A recording in the recordings folder, or an absolute path.
        public var recording: String
        /// Seconds in the recording; the end is nil for the recording's own.
        public var from: Double
        public var to: Double?
    }

    public var title: String
    public var kind: Kind
    /// The question that participants answer.
    public var question: String
    /// Method that is the reference.
    public var reference: String
    /// Methods that are compared with it.
    public var conditions: [String]
    /// Pass bands of the anchors, hertz.
    public var anchors: [Double]
    /// Number of trials with each passage.
    public var repetitions: Int
    /// Index of the passage of the training trial; nil for no training.
    public var training: Int?
    public var passages: [Passage]

    /// Maximum number of sounds that one trial compares with the reference: the number of keys for them.
    public static let mostStimuli = 9
    public static let mostPassages = 50
    public static let passageSeconds = 0.5...120.0
    public static let edges = 500.0...15_000.0

    /// The sounds of a trial by their index, before they are put in an order: the hidden reference is first.
    public var stimuli: [TestStimulus] { [.hiddenReference] + conditions.map { .method($0) } + anchors.map { .anchor($0) } }
}
