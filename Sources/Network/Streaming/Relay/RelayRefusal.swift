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
