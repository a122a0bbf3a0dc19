/// Asks for a cue to be heard, or for silence.
public struct CueOrder: BitwiseCopyable, Sendable {
    /// Of the bank; negative for an end of all that sound.
    public var sound: Int32
    /// A factor.
    public var gain: Float

    public init(sound: Int32, gain: Float) {
        self.sound = sound
        self.gain = gain
    }
}
