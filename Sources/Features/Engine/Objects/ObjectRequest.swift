import Parameters

/// A request for a sound that an object is waiting for.
struct ObjectRequest: Equatable, Sendable {
    let object: Int
    /// The name that clients use.
    let name: String
    let path: String
    var channel: SoundChannel
    /// Whether the transport is to play when the sound has been loaded.
    var plays = false
}
