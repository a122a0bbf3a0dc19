/// The listening test that runs: its definition, its participant, start and stop.
///
/// Nothing here tells which of the compared sounds plays.
public enum ListeningTestParameter: Int, ParameterGroup {
    case definition, participant, listener, seed, start, stop, state, running

    public static let container = "/test"
    public static let summary = "Listening tests: MUSHRA and A/B/X. The participant's page is /listening-test."
    public static var topic: Topic? { .session }
    /// Whole numbers up to here are exact.
    public static let seeds: ClosedRange<Float> = 0...16_777_215

    public var spec: ParameterSpec {
        switch self {
        case .definition:
            .text("Test", "Name of a definition in the tests folder.", role: .testDefinition).kept(.nothing)
        case .participant:
            .text(
                "Participant", "Code of the participant: 1 to 40 letters, digits, hyphens or underscores.", role: .testParticipant
            ).limited(to: 40).kept(.nothing)
        case .listener:
            .integer("Test listener", 1...256, "Listener that takes part.", role: .testListener).kept(.nothing)
        case .seed:
            .integer("Seed", Self.seeds, "Determines all orders of a new participant; 0 draws a seed.", role: .testSeed).kept(.nothing)
        case .start:
            .impulse(
                "Start test", "Starts the test, or goes on where the participant was; takes over the transport.", role: .testStart)
        case .stop: .impulse("Stop test", "Stops the test; the participant can go on later.", role: .testStop)
        case .state: .text("Test state", "Progress of the test, in words; empty while none runs.", access: .read, role: .testState)
        case .running: .toggle("Test running", "Whether a test runs.", access: .read, role: .testRunning)
        }
    }
}
