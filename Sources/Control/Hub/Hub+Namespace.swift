public import Parameters

/// Parameters that are added and removed while the program runs: those of a rack's slots.
extension Hub {
    /// Removes parameters from the namespace and inserts others. Subscribers of a container are subscribed to what is
    /// inserted below it.
    ///
    /// - Parameters:
    ///   - removed: indices that an earlier call returned.
    ///   - inserted: parameters to insert.
    ///   - containers: summaries of containers to add, by address; nil for those to remove.
    /// - Returns: the indices of the inserted parameters, in order.
    public func exchange(
        _ removed: [Int], for inserted: [TransientParameter], containers: [String: String?] = [:]
    ) -> [Int] {
        let gone = removed.map { tree.nodes[$0].address }
        removed.forEach(remove)
        for (address, summary) in containers where summary == nil { tree.describe(address, nil) }
        if let onPathChange {
            for path in tree.topmostMissingPaths(of: gone) { onPathChange(.removed(path)) }
        }
        let added = onPathChange == nil ? [] : tree.topmostMissingPaths(of: inserted.map(\.address))
        for (address, summary) in containers where summary != nil { tree.describe(address, summary) }
        let indices = inserted.map(insert)
        refresh(removed + indices)
        for path in added { onPathChange?(.added(path)) }
        return indices
    }

    /// Moves parameters to another container; subscriptions remain.
    ///
    /// - Parameter parameters: everything in the container `old`, with the new handlers.
    public func rename(_ parameters: [(index: Int, handler: Handler?)], from old: String, to new: String) {
        for (index, handler) in parameters {
            tree.rename(index, new + tree.nodes[index].address.dropFirst(old.count))
            handlers.set(index, handler)
        }
        tree.describe(new, tree.containers[old])
        tree.describe(old, nil)
        refresh(parameters.map(\.index))
        onPathChange?(.renamed(old: old, new: new))
    }

    private func remove(_ index: Int) {
        tree.remove(index)
        handlers.set(index, nil)
        handlers.set(index, need: nil)
        values.remove(index)
        subscriptions.ignore(index)
    }

    private func insert(_ parameter: TransientParameter) -> Int {
        let index = tree.insert(parameter.address, parameter.spec)
        values.insert(index, parameter.value)
        handlers.set(index, parameter.handler)
        handlers.set(index, need: parameter.need)
        if parameter.spec.access != .write { subscriptions.listen(index, at: parameter.address) }
        return index
    }

    /// Value of ``shape`` at which a parameter was last added, removed or renamed; 0 at the start.
    public func shape(of index: Int) -> Int { index < shapes.count ? shapes[index] : 0 }

    /// Updates what is derived from some parameters; called whenever they come, go or get another address.
    func refresh(_ indices: [Int]) {
        shape += 1
        shapes += repeatElement(0, count: max(0, tree.nodes.count - shapes.count))
        for index in indices { shapes[index] = shape }
        let nodes = Set(indices).sorted().map { tree.nodes[$0] }
        for node in nodes {
            values.refresh(node)
            handlers.refresh(node)
        }
        patterns.change(nodes)
    }
}

/// A parameter to insert while the program runs.
public struct TransientParameter {
    public var address: String
    public var spec: ParameterSpec
    public var value: ParameterValue
    public var handler: Hub.Handler?
    /// Starts the work that the handler needs.
    public var need: Hub.Need?

    public init(_ address: String, _ spec: ParameterSpec, _ value: ParameterValue, handler: Hub.Handler? = nil) {
        self.address = address
        self.spec = spec
        self.value = value
        self.handler = handler
    }
}

/// A change of the namespace: the topmost path concerned; everything below it changes as well.
public enum PathChange: Equatable, Sendable {
    case added(String)
    case removed(String)
    case renamed(old: String, new: String)
    /// The description of the node has changed.
    case changed(String)

    /// Whether a client that receives this change reads everything that the other one concerns anyway.
    public func covers(_ other: PathChange) -> Bool {
        guard case .added(let path) = self, case .added(let inner) = other else { return self == other }
        return inner == path || inner.hasPrefix(path + "/")
    }
}

/// Listeners on the network and sound objects that are added and removed.
extension Hub {
    /// Adds the parameters of a listener to the namespace, or removes them. Subscribers of a container are subscribed to what is added
    /// below it.
    public func setPresence(ofListener listener: Int, _ isPresent: Bool) {
        follow(tree.setPresence(ofListener: listener, isPresent), isPresent)
    }

    /// Adds the parameters of sound objects, or removes them, like ``setPresence(ofListener:_:)`` but for hundreds at once.
    public func setPresence(ofObjects objects: [Int], _ isPresent: Bool) {
        var changed: (indices: [Int], containers: [String]) = ([], [])
        for object in objects {
            let (indices, containers) = tree.setPresence(ofObject: object, isPresent)
            changed.indices += indices
            changed.containers += containers
        }
        follow(changed, isPresent)
    }

    private func follow(_ changed: (indices: [Int], containers: [String]), _ isPresent: Bool) {
        guard !changed.indices.isEmpty else { return }
        for index in changed.indices {
            let node = tree.nodes[index]
            if !isPresent {
                subscriptions.ignore(index)
            } else if node.spec.access != .write {
                subscriptions.listen(index, at: node.address)
            }
        }
        refresh(changed.indices)
        for container in changed.containers { onPathChange?(isPresent ? .added(container) : .removed(container)) }
    }
}

extension ParameterTree {
    /// The topmost path of each address that does not exist yet, or no longer exists; each path once.
    ///
    /// - Parameter addresses: none of them in the tree.
    func topmostMissingPaths(of addresses: [String]) -> [String] {
        var found: [String] = []
        var held: [Substring: Bool] = [:]
        for address in addresses where !found.contains(where: { address == $0 || address.hasPrefix($0 + "/") }) {
            var path = Substring(address)
            while let slash = path.lastIndex(of: "/"), slash > path.startIndex {
                let parent = path[..<slash]
                let isHeld = held[parent] ?? holds(String(parent))
                held[parent] = isHeld
                if isHeld { break }
                path = parent
            }
            found.append(String(path))
        }
        return found
    }
}
