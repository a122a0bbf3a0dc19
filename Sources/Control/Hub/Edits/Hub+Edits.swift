internal import Parameters

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
