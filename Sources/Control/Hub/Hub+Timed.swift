public import Parameters
public import RenderInterface

/// Changes that are announced ahead of their time.
extension Hub {
    /// Passes a change to the renderer; returns false when there is no room.
    public var schedule: (TimedChange) -> Bool {
        get { timed.schedule }
        set { timed.schedule = newValue }
    }

    /// Calls `handler` ahead of the time at which this parameter is to be set, CLOCK_MONOTONIC nanoseconds.
    public func onTimed(_ index: Int, _ handler: @escaping (_ value: ParameterValue, _ due: UInt64) -> Void) {
        timed[index] = handler
    }

    /// Announces to the renderer a change ahead of its time. The message has to be handled at that time as well: the sound has
    /// changed by then, and the stored value and the subscribers follow.
    ///
    /// Applies to parameters in the renderer's store and to poses. Anything else (a recording, a rack, a button) happens
    /// when the message is handled, and errors are reported then.
    ///
    /// - Parameter due: CLOCK_MONOTONIC nanoseconds.
    public func prepare(_ message: Message, due: UInt64) {
        for index in settable(message.address) { prepare(index, message.arguments, due: due) }
    }

    /// As ``prepare(_:due:)``, for one parameter.
    public func prepare(_ index: Int, _ arguments: [Argument], due: UInt64) {
        let node = tree.nodes[index]
        guard let value = try? node.spec.accept(arguments, at: node.address) else { return }
        if let handler = timed[index] {
            handler(value, due)
        } else if handlers[index] == nil, node.spec.isScalar, !node.isTransient, case .number(let number) = value {
            sendTimed(TimedChange(time: due, index: index, value: node.spec.engineValue(number)))
        }
    }

    /// Whether an address or a pattern matches any parameter that can be set.
    public func reaches(_ pattern: String) -> Bool { !settable(pattern).isEmpty }

    /// Passes a change to the renderer. When too many are waiting, it is not passed, and takes effect at a block
    /// boundary, when its message is handled.
    public func sendTimed(_ change: TimedChange) {
        guard !schedule(change) else { return }
        complain("more than 1024 changes are scheduled; further ones take effect at a block boundary instead of at their sample")
    }

    private func settable(_ pattern: String) -> [Int] {
        if let index = tree.index(at: pattern) { return tree.nodes[index].spec.access == .read ? [] : [index] }
        guard pattern.utf8.contains(where: Self.isWildcard) else { return [] }
        return patterns.settable(matching: pattern)
    }
}

/// Changes that are due at a later time: parameters with a timed handler of their own, and the way to the renderer.
struct TimedChanges {
    private var handlers: [Int: (ParameterValue, UInt64) -> Void] = [:]
    /// Passes a change to the renderer; returns false when there is no room.
    var schedule: (TimedChange) -> Bool = { _ in true }

    subscript(index: Int) -> ((ParameterValue, UInt64) -> Void)? {
        get { handlers[index] }
        set { handlers[index] = newValue }
    }
}
