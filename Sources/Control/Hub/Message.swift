public import Parameters

/// One message of a client: an address, which may contain wildcards, and its arguments.
public struct Message: Sendable, Equatable {
    public var address: String
    public var arguments: [Argument]
    /// Time at which the kernel received it, CLOCK_MONOTONIC nanoseconds.
    public var receiveTime: UInt64
    /// Time at which the sender generated it, on the same clock; 0 when unknown.
    public var senderTime: UInt64
    /// Network address of a sender that has not subscribed; nil for a subscriber's messages and for the program's own.
    public var sender: NetworkAddress?
    /// Whether the message restores a value from a session, from a scene or by undo or redo.
    public var isRestored = false

    public init(
        address: String, arguments: [Argument], receiveTime: UInt64, senderTime: UInt64 = 0, sender: NetworkAddress? = nil
    ) {
        self.address = address
        self.arguments = arguments
        self.receiveTime = receiveTime
        self.senderTime = senderTime
        self.sender = sender
    }
}

/// Handling of one message for one parameter: the message, and what the parameter's handler decides about it.
@dynamicMemberLookup
public struct MessageContext {
    public let message: Message
    /// The client that has sent it, for ``Hub/notice(_:from:)``; nil for the program's own messages.
    public let client: NetworkAddress?
    /// Value to store instead of the one that was sent.
    private(set) var replacement: ParameterValue?

    init(_ message: Message, client: NetworkAddress?) { (self.message, self.client) = (message, client) }

    /// Stores `value` instead of the value that was sent, for example its canonical form.
    public mutating func store(instead value: ParameterValue) { replacement = value }

    public subscript<Property>(dynamicMember property: KeyPath<Message, Property>) -> Property { message[keyPath: property] }
}

/// Result of handling a message. Every case but `done` has a text for the sender.
public enum Reply: Equatable, Sendable {
    case done
    /// The value was out of range; the text names the value that was stored instead.
    case clamped(String)
    case refused(String)
    case unknown(String)

    /// Text for the sender; nil when the value was stored as sent.
    public var text: String? {
        switch self {
        case .done: nil
        case .clamped(let text), .refused(let text), .unknown(let text): text
        }
    }
}
