/// The channel of a stereo file that a sound object is heard with.
public enum SoundChannel: String, NamedChoice {
    /// The average.
    case both
    case left, right
}
