/// Streams of sound to browsers and other clients on the network.
public enum StreamParameter: Int, ParameterGroup {
    case bitrate, lowestBitrate, packet, longestPacket, adapt, group

    public static let container = "/stream"
    public static let summary = "Compressed sound for clients at /audio/N: quality, and how far it may adapt itself to each network."
    public static var topic: Topic? { .engine }
    /// Range of bit rates, kilobits per second.
    public static var bitrates: ClosedRange<Float> { 32...256 }
    /// Lengths of packets, milliseconds.
    public static let lengths = [5, 10, 20]

    private static let lengthNames = lengths.map { "\($0) ms" }

    public var spec: ParameterSpec {
        switch self {
        case .bitrate:
            .init(
                title: "Bit rate",
                summary: "For streams whose client requests no other, as far as its network allows.",
                unit: .kilobitsPerSecond, range: Self.bitrates, initial: .number(128)
            ).kept(.session)
        case .lowestBitrate:
            .init(
                title: "Lowest bit rate",
                summary: "Bound for rendered sound, even on a slow network; scenes have their own profiles.",
                unit: .kilobitsPerSecond, range: Self.bitrates, initial: .number(32)
            ).kept(.session)
        case .packet:
            .choice(
                "Packet length", Self.lengthNames, initial: 1,
                "Length of a packet: shorter ones arrive earlier, longer ones need less bandwidth."
            ).kept(.session)
        case .longestPacket:
            .choice(
                "Longest packet", Self.lengthNames, initial: 2,
                "Greatest length of packets of rendered sound; those of scenes have 40 ms."
            ).kept(.session)
        case .adapt: .toggle("Adapt", initial: true, "Whether streams adapt to the capacity of their networks.").kept(.session)
        case .group:
            .init(
                title: "Group delay",
                summary:
                    "Delay from the engine to the sound, common to all browsers, which then play in synchrony; 0 lets each play as early "
                    + "as possible.",
                unit: .millisecond, range: 0...1000, initial: .number(0)
            ).kept(.session)
        }
    }
}
