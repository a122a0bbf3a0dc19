public import Parameters

/// All changes to parameters kept in sessions that one client's message caused, directly or through handlers.
public struct Edit: Sendable {
    /// Client that sent the message; equal for all messages of one client.
    public enum Origin: Hashable, Sendable {
        case client(ObjectIdentifier)
        case address(NetworkAddress)

        /// - Returns: nil for the program's own messages.
        init?(_ subscriber: Subscriber?, _ address: NetworkAddress?) {
            if let subscriber {
                self = .client(ObjectIdentifier(subscriber))
            } else if let address {
                self = .address(address)
            } else {
                return nil
            }
        }
    }

    /// One parameter before and after the message.
    public struct Change: Sendable {
        /// Index in the tree; a transient parameter may be gone when the edit is reported.
        public var index: Int
        public var address: String
        public var before: ParameterValue
        public var after: ParameterValue
    }

    public var message: Message
    public var origin: Origin
    public var changes: [Change] = []
    /// Whether something other than a value has changed.
    var isMarked = false

    init(message: Message, origin: Origin) { (self.message, self.origin) = (message, origin) }

    /// Notes the change of one parameter; of several changes by one message, the value before the first one counts.
    mutating func note(_ index: Int, address: String, before: ParameterValue, after: ParameterValue) {
        if let known = changes.firstIndex(where: { $0.index == index && $0.address == address }) {
            changes[known].after = after
        } else {
            changes.append(.init(index: index, address: address, before: before, after: after))
        }
    }
}
