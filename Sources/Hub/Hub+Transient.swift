public import Parameters

/// Parameters that come and go while the program runs: those of a rack's slots.
extension Hub {
    /// What comes to an address.
    public struct Coming {
        public var address: String
        public var spec: ParameterSpec
        public var value: ParameterValue
        public var handler: Handler?

        public init(_ address: String, _ spec: ParameterSpec, _ value: ParameterValue, handler: Handler? = nil) {
            self.address = address
            self.spec = spec
            self.value = value
            self.handler = handler
        }
    }

    /// Takes parameters out of the namespace and puts others in. Who listens to a container hears what comes to it.
    ///
    /// - Parameters:
    ///   - going: slots that an earlier call returned.
    ///   - containers: summaries of containers that come, by address; nil for those that go.
    /// - Returns: the slots of those that come, in order.
    public func exchange(_ going: [Int], for coming: [Coming], containers: [String: String?] = [:]) -> [Int] {
        for slot in going {
            tree.remove(slot)
            handlers[slot] = nil
            values[slot] = .impulse
            for subscriber in subscribers.values { subscriber.ignore(slot) }
        }
        for (address, summary) in containers { tree.describe(address, summary) }
        let slots = coming.map { parameter in
            let slot = tree.insert(parameter.address, parameter.spec)
            if slot == values.count { values.append(parameter.value) } else { values[slot] = parameter.value }
            handlers[slot] = parameter.handler
            for subscriber in subscribers.values
            where parameter.spec.access != .write && subscriber.wants(parameter.address) { subscriber.listen(slot) }
            return slot
        }
        findSettable()
        return slots
    }

    func findSettable() {
        kept = tree.nodes.map { $0.spec.isKept && !$0.address.isEmpty }
        settable = tree.nodes.filter { $0.spec.access != .read && !$0.address.isEmpty }.map { ($0.slot, $0.address) }
    }

    /// A subscriber's lease on a path is over: what comes to it later is not wanted any more.
    public func forget(_ subscriber: Subscriber, _ path: String) {
        subscriber.forget(path)
        for slot in slots(at: path) ?? [] {
            let node = tree.nodes[slot]
            if node.isTransient, !subscriber.wants(node.address) { subscriber.ignore(slot) }
        }
    }
}
