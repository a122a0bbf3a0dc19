/// State of the stream of a listener's sound to its client, as measured at both ends.
public enum ListenerStream: Int, ParameterGroup {
    case clients, format, bitrate, packet, roundTrip, tendency, buffer, target, late, lost, refused, concealed, leftOut, changes, drift

    public static let container = "/listener/{n}/stream"
    public static let summary = "State of the listener's stream, of its latest client that measures; zeros without one."
    public static var topic: Topic? { .engine }

    public var spec: ParameterSpec {
        switch self {
        case .clients: .counter("Clients", "Number of clients that receive this listener.")
        case .format:
            .text(
                "Format",
                "Encoding: opus, s16le (uncompressed), scene (microphones for a client that renders), or empty without a client that "
                    + "measures.", access: .read)
        case .bitrate:
            .gauge("Stream bit rate", 0...8192, unit: .kilobitsPerSecond, "Rate of compressed sound; 0 for uncompressed.")
        case .packet: .gauge("Stream packet", 0...20, unit: .millisecond, "Sound in each packet.")
        case .roundTrip: .gauge("Round trip", 0...60_000, unit: .millisecond, "Median of the latest fifteen measurements.")
        case .tendency:
            .gauge(
                "Tendency", -60_000...60_000, unit: .millisecond,
                "Slope of the last ten medians of round-trip times, from one to the next.",
                initial: 0)
        case .buffer: .gauge("Buffer", 0...60_000, unit: .millisecond, "Buffered sound in the client.")
        case .target:
            .gauge(
                "Wanted buffer", 0...60_000, unit: .millisecond,
                "Amount of buffered sound that the client aims at, depending "
                    + "on the variation of arrivals.")
        case .late: .counter("Late packets", "Packets that arrived too late.")
        case .lost: .counter("Missing packets", "Packets that did not arrive.")
        case .refused: .counter("Refused packets", "Packets that were damaged, repeated, or of another stream.")
        case .concealed: .gauge("Concealed", 0...1_000_000, unit: .second, "Sound that the client has concealed.")
        case .leftOut: .counter("Left out", "Packets that were not sent because the network was congested.")
        case .changes: .counter("Changes", "Number of times that the encoding was adapted.")
        case .drift:
            .gauge("Clock drift", -1000...1000, unit: .partsPerMillion, "Drift of the engine's clock relative to the client's.", initial: 0)
        }
    }
}
