/// Streams of sound to browsers and other clients on the network.
public enum StreamParameter: Int, ParameterGroup {
    case bitrate, lowestBitrate, packet, longestPacket, adapt, group

    public static let container = "/stream"
    public static let summary = "Compressed sound for clients at /audio/N: quality, and how far it may adapt itself to each network."
    public static var topic: Topic? { .engine }
    /// Kilobits per second.
    public static var bitrates: ClosedRange<Float> { 32...256 }
    /// Milliseconds.
    public static let lengths = [5, 10, 20]

    private static let lengthNames = lengths.map { "\($0) ms" }

    public var spec: ParameterSpec {
        switch self {
        case .bitrate:
            .init(
                title: "Bit rate",
                summary: "Rate of each stream whose client asks for no other, as long as its network allows it.",
                unit: .kilobitsPerSecond, range: Self.bitrates, initial: .number(128)
            ).kept(.session)
        case .lowestBitrate:
            .init(
                title: "Lowest bit rate", summary: "Rate below which no stream falls, however slow its network is.",
                unit: .kilobitsPerSecond, range: Self.bitrates, initial: .number(32)
            ).kept(.session)
        case .packet:
            .choice(
                "Packet length", Self.lengthNames, initial: 1,
                "Sound in one packet: shorter ones arrive earlier, longer ones need less of the network."
            ).kept(.session)
        case .longestPacket:
            .choice("Longest packet", Self.lengthNames, initial: 2, "Length that no packet exceeds, however slow the network is.")
                .kept(.session)
        case .adapt: .toggle("Adapt", initial: true, "Whether streams follow what their networks can carry.").kept(.session)
        case .group:
            .init(
                title: "Group delay",
                summary:
                    "Time from the engine to the sound of all browsers, which then play together; 0 lets each play as early as it "
                    + "can.",
                unit: .millisecond, range: 0...1000, initial: .number(0)
            ).kept(.session)
        }
    }
}
