/// A request to play a cue, or to stop all of them.
public struct CueCommand: BitwiseCopyable, Sendable {
    /// Number of the sound in the bank; negative to stop everything that is sounding.
    public var sound: Int32
    /// A factor.
    public var gain: Float
    /// Time in which sounds that are stopped fade, seconds; 0 for the shortest one without a click.
    public var fade: Float

    public init(sound: Int32, gain: Float, fade: Float = 0) {
        self.sound = sound
        self.gain = gain
        self.fade = fade
    }
}
