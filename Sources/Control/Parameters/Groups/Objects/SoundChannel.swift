/// The channel of a stereo file that a sound object plays.
public enum SoundChannel: String, NamedChoice {
    /// The average of both channels.
    case both
    case left, right
}
