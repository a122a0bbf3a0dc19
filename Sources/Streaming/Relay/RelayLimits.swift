/// Limits of the relay, by which its memory is bounded.
public enum RelayLimits {
    /// Senders that one peer receives at once.
    public static let links = 16
    /// Peers that wait for one sender's answer.
    public static let questions = 8
    /// Characters of a name.
    public static let name = 64
    /// Identities that a sender names.
    public static let named = 64
    /// Milliseconds until a peer that was denied may ask again.
    public static let denied = 10_000.0
    /// Milliseconds between two key frames that a link asks for after it has run over: at first, and at last.
    static let keyPause = 1000.0...8000.0
    /// Milliseconds after which a key frame that was asked for is asked for again.
    static let keyPatience = 1000.0
    /// Milliseconds without running over after which the pause is short again.
    static let forgiven = 20_000.0
}
