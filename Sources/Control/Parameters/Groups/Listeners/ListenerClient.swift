/// State of the page or program that plays a listener's sound, as reported by that page or program.
public enum ListenerClient: Int, ParameterGroup {
    case name, mode, battery, charging, delay

    public static let container = "/listener/{n}/client"
    public static let summary = "The page or program that plays the listener, as it describes itself."
    /// Former name, until release 0.2.
    public static var aliases: [(name: String, parameter: Self)] { [("device", .name)] }
    public static var topic: Topic? { .engine }

    /// Places where the sound is rendered.
    public enum Mode: String, NamedChoice {
        case none
        case server = "server-rendered"
        case client = "client-rendered"
        case offline
    }

    public var spec: ParameterSpec {
        switch self {
        case .name:
            .text("Client name", "Model and browser, such as “iPhone, Safari”; one line.", role: .clientName)
                .limited(to: 60).kept(.nothing)
        case .mode:
            .choice("Client mode", Mode.names, "Where the sound is rendered; none before the client has reported it.", role: .clientMode)
                .kept(.nothing)
        case .battery:
            .init(
                title: "Battery", summary: "Charge in per cent; -1 where it is not known.", kind: .integer, range: -1...100,
                initial: .number(-1), role: .clientBattery
            ).kept(.nothing)
        case .charging: .toggle("Charging", "Whether the phone or computer is connected to power.", role: .clientCharging).kept(.nothing)
        case .delay:
            .init(
                title: "Output delay", summary: "Time from the client's renderer or decoder to the ear, as its system reports it.",
                unit: .millisecond, range: 0...5000, initial: .number(0), role: .clientDelay
            ).kept(.nothing)
        }
    }
}
