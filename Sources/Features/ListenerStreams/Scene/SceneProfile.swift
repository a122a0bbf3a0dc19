internal import Streaming

/// Quality of a scene that clients render themselves. Each is encoded once for all clients that have it.
enum SceneProfile: String, CaseIterable, Sendable {
    /// For networks that carry 1.1 Mbit/s with 16 microphones.
    case full
    /// For connections that carry 512 kbit/s.
    case low

    /// Length of a packet, milliseconds.
    static let milliseconds = 40
    /// Packets of the profile low that the last strategy sends together.
    static let together = 2

    /// Bits per second of one microphone, one side of the live input, or one object.
    var bitrate: Int { self == .full ? 62_000 : 26_500 }

    /// The encoding by which clients of this profile are found; its bit rate is that of one microphone.
    var encoding: StreamEncoding {
        var encoding = StreamEncoding(codec: .opus, bitrate: 0, milliseconds: Self.milliseconds)
        encoding.bitrate = bitrate
        return encoding
    }

    /// The profile of an encoding.
    init(_ encoding: StreamEncoding) { self = encoding.bitrate >= Self.full.bitrate ? .full : .low }

    /// Strategies from this profile downwards.
    var ladder: StrategyLadder {
        let profiles = self == .full ? [Self.full, .low] : [.low]
        return StrategyLadder(
            steps: profiles.map { StreamStrategy($0.encoding) } + [StreamStrategy(Self.low.encoding, packetsTogether: Self.together)])
    }
}

/// Output of the encoder for the clients of the scene.
enum ScenePacket: Sendable {
    /// The array of the packets that follow with its number, as JSON.
    case array(String)
    /// A packet of a profile; `end` is the engine's sample count after its last frame, `channels` counts microphones, sides and objects.
    case sound(SceneProfile, end: Int64, channels: Int, bytes: [UInt8])

    var isSound: Bool { if case .sound = self { true } else { false } }
}
