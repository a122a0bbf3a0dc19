/// State of the page or program through which a listener is heard, as it reports it itself.
public enum ListenerClient: Int, ParameterGroup {
    case device, mode, battery, charging, delay

    public static let container = "/listener/{n}/client"
    public static let summary = "The page or program that plays the listener, as it describes itself."
    public static var topic: Topic? { .engine }
    public static let modes = ["none", "server-rendered", "client-rendered", "offline"]

    public var spec: ParameterSpec {
        switch self {
        case .device:
            .text("Client device", "Kind of device and browser, such as “iPhone, Safari”; one line.", role: .clientDevice)
                .limited(to: 60).kept(.nothing)
        case .mode:
            .choice("Client mode", Self.modes, "Where the sound is rendered; none before the client has reported it.", role: .clientMode)
                .kept(.nothing)
        case .battery:
            .init(
                title: "Battery", summary: "Charge in per cent; -1 where it is not known.", kind: .integer, range: -1...100,
                initial: .number(-1), role: .clientBattery
            ).kept(.nothing)
        case .charging: .toggle("Charging", "Whether the device is connected to power.", role: .clientCharging).kept(.nothing)
        case .delay:
            .init(
                title: "Output delay", summary: "Time from the client's renderer or decoder to the ear, as its system reports it.",
                unit: .millisecond, range: 0...5000, initial: .number(0), role: .clientDelay
            ).kept(.nothing)
        }
    }
}
