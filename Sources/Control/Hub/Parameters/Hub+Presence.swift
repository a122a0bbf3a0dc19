internal import Parameters

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
