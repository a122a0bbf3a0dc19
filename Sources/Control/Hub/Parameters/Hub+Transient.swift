internal import Parameters

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
