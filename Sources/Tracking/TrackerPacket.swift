public import Parameters

/// What goes out for one pose: an OSC message, or a datagram as it is.
public enum TrackerPacket: Equatable, Sendable {
    case message(address: String, arguments: [Argument])
    case datagram([UInt8])
}
