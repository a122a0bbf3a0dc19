import Hub
import Parameters
import Session

/// Decides which parameters sessions and scenes keep, and which listeners on the network a session has.
final class SessionKeeping {
    private unowned let hub: Hub
    private unowned let network: NetworkListeners
    /// Whether an object is moved by a path.
    private let moves: (_ object: Int) -> Bool

    init(hub: Hub, network: NetworkListeners, moves: @escaping (_ object: Int) -> Bool) {
        (self.hub, self.network, self.moves) = (hub, network, moves)
    }

    /// Whether a parameter is kept: not the position of an object on a path, and nothing of a listener without a name.
    func isKept(_ node: ParameterTree.Node) -> Bool {
        let coordinates: [ObjectParameter] = [.azimuth, .elevation, .distance]
        if let object = hub.tree.object(ofParameter: node.index), moves(object),
            coordinates.contains(where: { node.index == hub.tree.index($0, object) })
        {
            return false
        }
        return hub.tree.listener(ofParameter: node.index).map { network.isKept($0) } ?? true
    }

    /// Names of listeners on the network in a session, by index among all listeners.
    func names(in snapshot: Snapshot) -> [Int: String] {
        snapshot.parameters.reduce(into: [:]) { names, entry in
            guard case .string(let name) = entry.value.first, !name.isEmpty, let index = hub.tree.declaredIndex(at: entry.key),
                let listener = hub.tree.listener(ofParameter: index), index == hub.tree.index(ListenerParameter.name, listener),
                listener >= hub.tree.wired
            else { return }
            names[listener] = name
        }
    }
}

extension ParameterTree {
    /// The parameters that loading a session leaves as they are, because it names none of their kind: those of the attached trackers,
    /// and the channels that listeners are played on.
    func partsLeftOut(of session: SessionFile) -> (Node) -> Bool {
        let named = session.snapshot.parameters.keys
        let trackers = (0..<trackers).map { TrackerParameter.container($0) + "/" }
        func isOfTracker(_ address: String) -> Bool { trackers.contains { address.hasPrefix($0) } }
        let namesTrackers = named.contains(where: isOfTracker)
        let namesOutputs = named.contains { address in index(at: address).map { isOutput(nodes[$0]) } ?? false }
        return { node in
            !namesTrackers && isOfTracker(node.address) || !namesOutputs && isOutput(node)
        }
    }
}
