internal import Parameters

/// The plain path, used thousands of times a second: one number for a parameter that is stored and has no handler.
extension Hub {
    /// Equals ``handle(_:from:)`` for a message of one number within the range of a parameter without a handler.
    ///
    /// - Parameters:
    ///   - index: of the parameter in ``tree``.
    ///   - time: when the kernel received it, CLOCK_MONOTONIC nanoseconds.
    ///   - sender: as in ``Message/sender``.
    /// - Returns: false, having done nothing, for everything that needs the whole message.
    public func set(
        _ index: Int, to number: Float, time: UInt64, from subscriber: Subscriber?, sender: NetworkAddress? = nil
    ) -> Bool {
        guard handlers.accepts(number, at: index), !isWaiting(subscriber, sender) else { return false }
        let value = ParameterValue.number(number)
        if onEdit != nil, edits.edit == nil, values.isEdit(index, value), let origin = Edit.Origin(subscriber, sender) {
            let message = Message(
                address: tree.nodes[index].address, arguments: [.float(number)], receiveTime: time, sender: sender)
            edits.edit = Edit(message: message, origin: origin)
            change(index, value, except: subscriber)
            finishEdit()
        } else {
            change(index, value, except: subscriber)
        }
        return true
    }
}
