public import Crossing
public import Parameters

/// What one message of a client has changed of what sessions keep, with everything that followed from it.
public struct Edit: Sendable {
    /// By whom; the same in every message of one client.
    public enum Origin: Hashable, Sendable {
        case client(ObjectIdentifier)
        case address(NetworkAddress)
    }

    /// One parameter: as it was before the message, and as it is after it.
    public struct Change: Sendable {
        /// It may be gone when the message is over.
        public var slot: Int
        public var address: String
        public var before: ParameterValue
        public var after: ParameterValue
    }

    public var message: Message
    public var origin: Origin
    public var changes: [Change] = []
    /// Something has changed that is no value.
    var isMarked = false

    init(message: Message, origin: Origin) {
        self.message = message
        self.origin = origin
    }
}

extension Hub {
    /// Says that the message that is handled now has changed something that is no value, so that it is reported.
    /// - Returns: false when no client's message is being handled.
    @discardableResult
    public func markEdit() -> Bool {
        isTouched = true
        guard edit != nil else { return false }
        edit?.isMarked = true
        return true
    }

    func origin(_ subscriber: Subscriber?) -> Edit.Origin? {
        if let subscriber { return .client(ObjectIdentifier(subscriber)) }
        return sender.map(Edit.Origin.address)
    }

    /// Notes that a slot is about to get another value.
    func note(_ slot: Int, _ value: ParameterValue) {
        isTouched = true
        guard edit != nil else { return }
        let address = tree.nodes[slot].address
        // A value may be stored twice on the way of one message; what it was before counts.
        if let known = edit!.changes.firstIndex(where: { $0.slot == slot && $0.address == address }) {
            edit!.changes[known].after = value
        } else {
            edit!.changes.append(.init(slot: slot, address: address, before: values[slot], after: value))
        }
    }

    func finishEdit() {
        guard let edit else { return }
        self.edit = nil
        if edit.isMarked || !edit.changes.isEmpty { onEdit?(edit) }
    }
}
