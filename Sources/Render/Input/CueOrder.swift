/// A request to play a cue, or to stop all of them.
public struct CueOrder: BitwiseCopyable, Sendable {
    /// Number of the sound in the bank; negative to stop everything that is sounding.
    public var sound: Int32
    /// A factor.
    public var gain: Float

    public init(sound: Int32, gain: Float) {
        self.sound = sound
        self.gain = gain
    }
}
