public import Parameters

/// A packet with a pose: an OSC message or a raw datagram.
public enum TrackerPacket: Equatable, Sendable {
    case message(address: String, arguments: [Argument])
    case datagram([UInt8])
}
