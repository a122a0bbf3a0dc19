public import Parameters

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
