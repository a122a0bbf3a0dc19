public import Crossing
public import Parameters

/// What is to change at a time to come.
extension Hub {
    /// Tells the renderer of a change ahead of its time. The message is handled all the same when its time has come:
    /// by then the sound has changed, and what is stored and told to others follows.
    ///
    /// Parameters that are words of the renderer's are told, and poses; what does more than that (a recording, a
    /// rack, a button) is done when the message is handled. What is wrong with a message is said then, too.
    ///
    /// - Parameter due: CLOCK_MONOTONIC nanoseconds.
    public func prepare(_ message: Message, due: UInt64) {
        for slot in settable(message.address) { prepare(slot, message.arguments, due: due) }
    }

    /// The same for one parameter.
    public func prepare(_ slot: Int, _ arguments: [Argument], due: UInt64) {
        let node = tree.nodes[slot]
        guard let value = try? node.spec.accept(arguments, at: node.address) else { return }
        if let timed = timed[slot] {
            timed(value, due)
        } else if handlers[slot] == nil, node.spec.isScalar, !node.isTransient, case .number(let number) = value {
            sendTimed(TimedChange(time: due, slot: slot, value: node.spec.engineValue(number)))
        }
    }

    private func settable(_ pattern: String) -> [Int] {
        if let slot = tree.slot(at: pattern) { return tree.nodes[slot].spec.access == .read ? [] : [slot] }
        guard pattern.utf8.contains(where: Self.isWildcard) else { return [] }
        return settable(matching: pattern)
    }

    /// Whether an address or a pattern means anything that can be set.
    public func reaches(_ pattern: String) -> Bool { !settable(pattern).isEmpty }

    /// Hands something to the renderer; a renderer that has too much waiting is told nothing, and the change comes with
    /// its message, to the block.
    public func sendTimed(_ change: TimedChange) {
        guard !schedule(change) else { return }
        complain("more than 1024 changes wait for their time; those beyond are made to the block instead of to the sample")
    }
}
