/// The running listening test: its definition, its participant, start and stop; quick comparisons of two methods.
///
/// None of these parameters reveals which of the compared sounds plays.
public enum ListeningTestParameter: Int, ParameterGroup {
    case definition, participant, listener, seed, start, stop, state, running, pair, compare, result

    public static let container = "/test"
    public static let summary = "Listening tests: MUSHRA and A/B/X. The participant's page is /listening-test."
    public static var topic: Topic? { .session }
    /// Range in which 32-bit floats represent all whole numbers exactly.
    public static let seeds: ClosedRange<Float> = 0...16_777_215

    public var spec: ParameterSpec {
        switch self {
        case .definition:
            .text("Test", "Name of its definition in the tests folder.", role: .testDefinition).kept(.nothing)
        case .participant:
            .text(
                "Participant", "Code of 1 to 40 letters, digits, hyphens or underscores.", role: .testParticipant
            ).limited(to: 40).kept(.nothing)
        case .listener:
            .integer("Test listener", 1...Float(ListenerLimits.all), "Listener of the sound device that takes part.", role: .testListener)
                .kept(.nothing)
        case .seed:
            ParameterSpec(
                title: "Seed",
                summary: "Number from which all orders of the next new participant are drawn; 0 draws one. It cannot be read back.",
                kind: .integer,
                range: Self.seeds, initial: .number(0), access: .write, role: .testSeed
            ).kept(.nothing)
        case .start:
            .impulse(
                "Start test", "Starts the test, or continues where the participant was; takes over the transport.", role: .testStart)
        case .stop: .impulse("Stop test", "Stops the test; the participant can continue later.", role: .testStop)
        case .state: .text("Test state", "Progress of the test, in words; empty while none runs.", access: .read, role: .testState)
        case .running: .toggle("Test running", "Whether a test runs.", access: .read, role: .testRunning)
        case .pair:
            .text(
                "Compared methods", "Two methods for a quick A/B/X comparison, such as \"two-band ring-spectral\".", role: .testPair
            ).limited(to: 80).kept(.nothing)
        case .compare:
            .impulse(
                "Compare", "Starts an A/B/X test of both methods with the recording, from the current position.", role: .testCompare)
        case .result:
            .text(
                "Comparison result",
                "Number of right answers in the last A/B/X test, and the probability of at least as many by guessing; empty during a test.",
                access: .read, role: .testResult)
        }
    }
}
