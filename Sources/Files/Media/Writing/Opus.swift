/// The codec Opus.
public enum Opus {
    /// Frames per second of all that is encoded and decoded; Opus has no rate above it.
    public static let rate = 48_000
}
