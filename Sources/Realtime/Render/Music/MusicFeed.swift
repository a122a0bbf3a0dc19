public import Crossing

/// Music for all listeners, from the thread that reads it.
public struct MusicFeed: ~Copyable, Sendable {
    /// Stereo, at the engine's rate.
    var frames: FrameRing.Consumer

    public init(_ frames: consuming FrameRing.Consumer) { self.frames = frames }
}
