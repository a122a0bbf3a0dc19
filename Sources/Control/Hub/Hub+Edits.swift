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

/// The edit of the message that is being handled, and whether anything that sessions keep has changed.
///
/// Handlers reach it through the hub: every value that they publish is part of the edit of the message being handled.
struct EditRecorder {
    /// Nil while no client's message is handled.
    var edit: Edit?
    /// Whether something that sessions keep has changed since this was last set to false.
    var isTouched = false

    /// - Returns: the finished edit; nil when the message changed nothing.
    mutating func close() -> Edit? {
        defer { edit = nil }
        guard let edit, edit.isMarked || !edit.changes.isEmpty else { return nil }
        return edit
    }
}

/// Edits: clients' changes to parameters kept in sessions, reported once per message.
extension Hub {
    /// Whether something that sessions keep has changed since this was last set to false.
    public var isTouched: Bool {
        get { edits.isTouched }
        set { edits.isTouched = newValue }
    }

    /// Runs `body`; everything it changes is reported as one edit, caused by `message`.
    public func handle<Result>(_ message: Message, from subscriber: Subscriber?, by body: () -> Result) -> Result {
        guard onEdit != nil, edits.edit == nil, let origin = Edit.Origin(subscriber, message.sender) else { return body() }
        edits.edit = Edit(message: message, origin: origin)
        defer { finishEdit() }
        return body()
    }

    /// The client whose message is being handled; nil for the program's own.
    public var client: Edit.Origin? { edits.edit?.origin }

    /// Runs `body`; the messages that it handles are edits of their own, apart from the message being handled.
    public func asSeparateEdit(_ body: () -> Void) {
        let outer = edits.edit
        edits.edit = nil
        defer { edits.edit = outer }
        body()
    }

    /// Notes that the message being handled has changed something other than a value, so that it is reported as an edit.
    /// - Returns: false when no client's message is being handled.
    @discardableResult
    public func markEdit() -> Bool {
        edits.isTouched = true
        edits.edit?.isMarked = true
        return edits.edit != nil
    }

    /// Notes that a kept parameter is about to get another value.
    func note(_ index: Int, _ value: ParameterValue) {
        edits.isTouched = true
        edits.edit?.note(index, address: tree.nodes[index].address, before: values[index], after: value)
    }

    func finishEdit() {
        guard let edit = edits.close() else { return }
        onEdit?(edit)
    }
}
