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
        let gone = going.map { tree.nodes[$0].address }
        for slot in going {
            tree.remove(slot)
            handlers[slot] = nil
            values[slot] = .impulse
            for subscriber in subscribers.values { subscriber.ignore(slot) }
        }
        for (address, summary) in containers where summary == nil { tree.describe(address, nil) }
        announce(gone) { .removed($0) }
        let added = onPathChange == nil ? [] : roots(coming.map(\.address))
        for (address, summary) in containers where summary != nil { tree.describe(address, summary) }
        let slots = coming.map { parameter in
            let slot = tree.insert(parameter.address, parameter.spec)
            if slot == values.count { values.append(parameter.value) } else { values[slot] = parameter.value }
            handlers[slot] = parameter.handler
            for subscriber in subscribers.values
            where parameter.spec.access != .write && subscriber.wants(parameter.address) { subscriber.listen(slot) }
            return slot
        }
        survey()
        for path in added { onPathChange?(.added(path)) }
        return slots
    }

    /// Gives parameters another container: who listens to them goes on listening.
    ///
    /// - Parameter slots: with the handlers that they get; all that is in the container `old`.
    public func rename(_ slots: [(slot: Int, handler: Handler?)], from old: String, to new: String) {
        for (slot, handler) in slots {
            tree.rename(slot, new + tree.nodes[slot].address.dropFirst(old.count))
            handlers[slot] = handler
        }
        tree.describe(new, tree.containers[old])
        tree.describe(old, nil)
        survey()
        onPathChange?(.renamed(old: old, new: new))
    }

    private func announce(_ addresses: [String], _ change: (String) -> PathChange) {
        guard let onPathChange else { return }
        for path in roots(addresses) { onPathChange(change(path)) }
    }

    /// Where these addresses, of which the tree has none, would leave it: each path once.
    private func roots(_ addresses: [String]) -> [String] {
        var found: [String] = []
        var held: [Substring: Bool] = [:]
        for address in addresses where !found.contains(where: { address == $0 || address.hasPrefix($0 + "/") }) {
            var path = Substring(address)
            while let slash = path.lastIndex(of: "/"), slash > path.startIndex {
                let parent = path[..<slash]
                let isHeld = held[parent] ?? tree.holds(String(parent))
                held[parent] = isHeld
                if isHeld { break }
                path = parent
            }
            found.append(String(path))
        }
        return found
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
