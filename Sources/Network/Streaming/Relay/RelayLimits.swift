/// Limits of the relay, by which its memory is bounded.
public enum RelayLimits {
    /// Senders that one peer receives at once.
    public static let links = 16
    /// Peers that wait for one sender's answer.
    public static let questions = 8
    /// Characters of a name, and its bytes in UTF-8: a character may have any number of combining marks.
    public static let name = (characters: 64, bytes: 256)
    /// Identities that a sender names, and that it lists as stopped.
    public static let named = 64
    /// Number of stopped identities at which further ones are refused.
    static let stopped = 1024
    /// Milliseconds until a peer that was denied may ask again.
    public static let denied = 10_000.0
    /// Shortest and longest pause in milliseconds between two key frames that a link asks for after it has run over.
    static let keyPause = 1000.0...8000.0
    /// Milliseconds after which a key frame that was asked for is asked for again.
    static let keyPatience = 1000.0
    /// Milliseconds without running over after which the pause is short again.
    static let forgiven = 20_000.0
    /// Milliseconds between two small pictures of a sender.
    static let stillPause = 1000.0

    /// The beginning of a name or identity that is not too long.
    public static func bounded(_ name: String) -> String {
        var bytes = 0
        let scalars = name.prefix(Self.name.characters).unicodeScalars.prefix { scalar in
            bytes += UTF8.width(scalar)
            return bytes <= Self.name.bytes
        }
        return String(String.UnicodeScalarView(scalars))
    }
}

/// Reason why the relay refuses a peer's request.
public struct RelayRefusal: Error, Equatable, Sendable, CustomStringConvertible {
    /// Kind of refusal, by its name in the protocol. Refusals are counted by it.
    public enum Kind: String, Sendable, CaseIterable {
        /// Not a message or frame of this protocol, or not all of one.
        case form
        /// Larger than allowed.
        case size
        /// A codec that is not known, or that the other end does not have.
        case codec
        /// Out of order: a number again, a frame without a key frame before it, a message before `hello`.
        case order
        /// About something of another peer.
        case foreign
        /// After a stop, or about something that no longer exists.
        case stopped
        /// Not permitted by the sender.
        case permission
        /// A limit of the relay.
        case limit
    }

    public let kind: Kind
    /// The reason in a sentence without a full stop.
    public let description: String

    public init(_ kind: Kind, _ description: String) {
        self.kind = kind
        self.description = description
    }
}
