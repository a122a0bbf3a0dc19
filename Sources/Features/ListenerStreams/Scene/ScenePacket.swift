/// Something that the encoder has made for the clients of the scene.
enum ScenePacket: Sendable {
    /// The array of the packets that follow with its number, as JSON.
    case array(String)
    /// A packet of a profile; `end` is the engine's sample count after its last frame, `channels` counts microphones, sides and objects.
    case sound(SceneProfile, end: Int64, channels: Int, bytes: [UInt8])

    var isSound: Bool { if case .sound = self { true } else { false } }
}
