internal import Parameters

/// Collects the changes of one message while it is handled, and remembers whether anything that sessions keep has changed.
struct EditRecorder {
    private var edit: Edit?
    /// True when something other than a value has changed during the message.
    private var isMarked = false
    /// Whether something that sessions keep has changed since this was last set to false.
    var isTouched = false
    /// True while a client's message is handled.
    var isOpen: Bool { edit != nil }

    /// The client whose message is handled; nil without one.
    var origin: Edit.Origin? { edit?.origin }

    mutating func open(_ message: Message, origin: Edit.Origin) {
        edit = Edit(message: message, origin: origin)
        isMarked = false
    }

    /// - Returns: the finished edit; nil when the message changed nothing.
    mutating func close() -> Edit? {
        defer { edit = nil }
        guard let edit, isMarked || !edit.changes.isEmpty else { return nil }
        return edit
    }

    /// Sets the message that is handled aside, until ``resume(_:)``.
    mutating func suspend() -> EditRecorder {
        defer { (edit, isMarked) = (nil, false) }
        return self
    }

    /// Goes on with the message that was set aside.
    mutating func resume(_ outer: EditRecorder) { (edit, isMarked) = (outer.edit, outer.isMarked) }

    /// Notes a change of something other than a value.
    /// - Returns: false when no client's message is being handled.
    mutating func mark() -> Bool {
        isTouched = true
        guard isOpen else { return false }
        isMarked = true
        return true
    }

    /// Notes the change of one parameter. Call only while ``isOpen``.
    mutating func note(_ index: Int, address: String, before: ParameterValue, after: ParameterValue) {
        // One message may store a value twice; the value before the message counts.
        if let known = edit!.changes.firstIndex(where: { $0.index == index && $0.address == address }) {
            edit!.changes[known].after = after
        } else {
            edit!.changes.append(.init(index: index, address: address, before: before, after: after))
        }
    }
}
