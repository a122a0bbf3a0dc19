public import Parameters

/// Handling of one message for one parameter: the message, and what the parameter's handler decides about it.
@dynamicMemberLookup
public struct MessageContext {
    public let message: Message
    /// Value to store instead of the one that was sent.
    private(set) var replacement: ParameterValue?

    init(_ message: Message) { self.message = message }

    /// Stores `value` instead of the value that was sent, for example its canonical form.
    public mutating func store(instead value: ParameterValue) { replacement = value }

    public subscript<Property>(dynamicMember property: KeyPath<Message, Property>) -> Property { message[keyPath: property] }
}
