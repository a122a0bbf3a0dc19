internal import Parameters

/// Listeners on the network that come and go.
extension Hub {
    /// Adds the parameters of a listener to the namespace, or removes them. Subscribers of a container are subscribed to what is added
    /// below it.
    public func setPresence(ofListener listener: Int, _ isPresent: Bool) {
        let (indices, containers) = tree.setPresence(ofListener: listener, isPresent)
        guard !indices.isEmpty else { return }
        for index in indices {
            let node = tree.nodes[index]
            if !isPresent {
                subscriptions.ignore(index)
            } else if node.spec.access != .write {
                subscriptions.listen(index, at: node.address)
            }
        }
        refresh(indices)
        for container in containers { onPathChange?(isPresent ? .added(container) : .removed(container)) }
    }
}
