import Binaural
public import Session

/// Refusal of a listening test: the reason, and the remedy.
public struct TestError: DescriptionError, Equatable, CustomStringConvertible {
    public let description: String
    public init(_ description: String) { self.description = description }
}

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

/// A sound that a participant compares with the reference.
public enum TestStimulus: Sendable, Equatable, Codable {
    /// The reference itself, not named as such.
    case hiddenReference
    /// The reference low-passed at a frequency, hertz.
    case anchor(Double)
    /// An interpolation method.
    case method(String)

    /// Name in the results.
    public var name: String {
        switch self {
        case .hiddenReference: "reference"
        case .anchor(let edge): "anchor-\(Int(clamping: edge))"
        case .method(let name): name
        }
    }

    /// Part in the test, for the results.
    public var role: String {
        switch self {
        case .hiddenReference: "hidden-reference"
        case .anchor: "anchor"
        case .method: "condition"
        }
    }
}

extension TestDefinition {
    /// Reads and checks a definition.
    /// - Parameters:
    ///   - text: a JSON document; see docs/listening-tests.md.
    ///   - name: of the file, for errors.
    /// - Throws: ``TestError`` with the line, what was found and what is expected.
    public init(json text: String, name: String) throws(TestError) {
        let document: LocatedJSON
        do { document = try LocatedJSON(text) } catch { throw TestError("\(name):\(error.line): \(error.reason)") }
        let fields = try DefinitionFields(document, "a listening test", file: name)
        try fields.allow(["title", "kind", "question", "reference", "conditions", "anchors", "repetitions", "training", "passages"])
        title = try fields.text("title")
        let kindName = try fields.text("kind", or: Kind.mushra.rawValue)
        guard let kind = Kind(rawValue: kindName) else {
            throw fields.fault("kind", "is \"\(kindName)\"; expected \(Kind.allCases.map(\.rawValue).joined(separator: " or "))")
        }
        self.kind = kind
        question = try fields.text("question", or: kind == .mushra ? "How good is the quality of each sound?" : "Is X the sound A or B?")
        reference = try Self.method(fields.text("reference"), fields, "reference")
        conditions = []
        for name in try fields.texts("conditions") {
            let method = try Self.method(name, fields, "conditions")
            guard method != reference, !conditions.contains(method) else {
                throw fields.fault("conditions", "names \"\(method)\" twice; the hidden reference is added automatically")
            }
            conditions.append(method)
        }
        anchors = try fields.numbers("anchors", in: Self.edges, or: kind == .mushra ? [3500, 7000] : [])
        guard Set(anchors).count == anchors.count else { throw fields.fault("anchors", "names a frequency twice") }
        guard kind == .mushra || anchors.isEmpty else { throw fields.fault("anchors", "is for tests of the kind mushra only") }
        guard kind == .mushra || !conditions.isEmpty else { throw fields.fault("conditions", "is empty; name the method to compare") }
        let repetitions = try fields.number("repetitions", in: 1...100, or: 1)
        guard let whole = Int(exactly: repetitions) else { throw fields.fault("repetitions", "is \(repetitions), not a whole number") }
        self.repetitions = whole
        passages = try fields.objects("passages").map { passage throws(TestError) in try Self.passage(passage) }
        guard (1...Self.mostPassages).contains(passages.count) else {
            throw fields.fault("passages", "has \(passages.count) entries; expected 1 to \(Self.mostPassages)")
        }
        guard Set(passages.map(\.name)).count == passages.count else { throw fields.fault("passages", "uses a name twice") }
        let training = try fields.text("training", or: "")
        self.training = passages.firstIndex { $0.name == training }
        guard training.isEmpty || self.training != nil else {
            throw fields.fault("training", "is \"\(training)\", but there is no such passage; name one of the passages, or omit it")
        }
        guard kind == .abx || (2...Self.mostStimuli).contains(stimuli.count) else {
            throw fields.fault(
                "conditions",
                "and anchors are \(counted(stimuli.count, "sound")) with the hidden reference; expected 2 to \(Self.mostStimuli)")
        }
    }

    private static func method(_ name: String, _ fields: DefinitionFields, _ field: String) throws(TestError) -> String {
        guard let method = InterpolationMethod(name: name) else {
            let names = InterpolationMethod.allCases.map(\.name).joined(separator: ", ")
            throw fields.fault(field, "names \"\(name)\", which is not a method; the methods are \(names)")
        }
        return method.name
    }

    private static func passage(_ fields: DefinitionFields) throws(TestError) -> Passage {
        try fields.allow(["name", "recording", "from", "to"])
        let recording = try fields.text("recording")
        let from = try fields.number("from", in: 0...604_800, or: 0)
        var to: Double?
        if fields.holds("to") {
            let end = try fields.number("to", in: 0...604_800, or: 0)
            guard passageSeconds.contains(end - from) else {
                throw fields.fault(
                    "to", "makes the passage \(end - from) s long; expected \(passageSeconds.lowerBound) to \(passageSeconds.upperBound) s")
            }
            to = end
        }
        return Passage(name: try fields.text("name", or: recording), recording: recording, from: from, to: to)
    }
}

/// The members of an object in a definition of a listening test.
typealias DefinitionFields = DescriptionFields<TestError>
