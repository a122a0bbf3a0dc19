internal import Parameters

/// Subscribing to parameters and containers.
extension Hub {
    /// - Parameter wake: called on the control thread when the first value becomes pending for this client.
    public func subscribe(wake: @escaping () -> Void) -> Subscriber {
        let subscriber = Subscriber(mostListed: tree.mostListed, wake: wake)
        subscriptions.add(subscriber)
        return subscriber
    }

    public func unsubscribe(_ subscriber: Subscriber) {
        subscriptions.remove(subscriber)
        if let client = Edit.Origin(subscriber, nil) { onLeave?(client) }
    }

    /// Listens to the parameter at `path`, or to everything readable below a container; the current values are sent at once.
    /// - Returns: false when there is nothing at that path.
    public func listen(_ subscriber: Subscriber, to path: String) -> Bool {
        guard let indices = indices(at: path) else { return false }
        indices.forEach(subscriber.listen)
        subscriber.note(path, isListening: true)
        return true
    }

    /// Reverses ``listen(_:to:)``.
    public func ignore(_ subscriber: Subscriber, at path: String) -> Bool {
        guard let indices = indices(at: path) else { return false }
        indices.forEach(subscriber.ignore)
        subscriber.note(path, isListening: false)
        return true
    }

    /// Removes a path from a subscriber, with its subscriptions to transient parameters there. Parameters inserted there later are not
    /// wanted any more.
    public func forget(_ subscriber: Subscriber, _ path: String) {
        subscriber.forget(path)
        for index in indices(at: path) ?? [] {
            let node = tree.nodes[index]
            if node.isTransient, !subscriber.wants(node.address) { subscriber.ignore(index) }
        }
    }

    /// The parameter at `path`, or everything readable below a container; nil when there is nothing at that path.
    public func indices(at path: String) -> [Int]? {
        let path = path.hasSuffix("/") && path != "/" ? String(path.dropLast()) : path
        if let index = tree.index(at: path) { return [index] }
        guard tree.holds(path) else { return nil }
        let inside = tree.listed(in: path)
        return inside.isEmpty && tree.containers[path] == nil ? nil : inside.filter { tree.nodes[$0].spec.access != .write }
    }

    /// The readable parameters that an address or a pattern matches.
    public func readable(_ pattern: String) -> [Int] {
        if let index = tree.index(at: pattern) { return tree.nodes[index].spec.access == .write ? [] : [index] }
        guard pattern.utf8.contains(where: Self.isWildcard) else { return [] }
        return tree.nodes.filter { $0.spec.access != .write && patterns.matches(pattern, $0.address) }.map(\.index)
    }
}

/// All subscribers, and the delivery of changes to them.
///
/// A class, because a subscriber's `wake` may subscribe others while changes are delivered.
final class Subscriptions {
    private var subscribers: [ObjectIdentifier: Subscriber] = [:]

    func add(_ subscriber: Subscriber) { subscribers[ObjectIdentifier(subscriber)] = subscriber }

    func remove(_ subscriber: Subscriber) { subscribers[ObjectIdentifier(subscriber)] = nil }

    /// Marks a parameter as changed for every subscriber that listens to it.
    ///
    /// - Parameter sender: left out, since it has just sent the value.
    func mark(_ index: Int, except sender: Subscriber?) {
        for subscriber in subscribers.values {
            if subscriber === sender { subscriber.unmark(index) } else { subscriber.mark(index) }
        }
    }

    /// Subscribes every subscriber of a container of `address` to a new parameter.
    func listen(_ index: Int, at address: String) {
        for subscriber in subscribers.values where subscriber.wants(address) { subscriber.listen(index) }
    }

    /// Ends all subscriptions to a parameter.
    func ignore(_ index: Int) {
        for subscriber in subscribers.values { subscriber.ignore(index) }
    }
}
