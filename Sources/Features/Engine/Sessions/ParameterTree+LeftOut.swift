import Parameters
import Session

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
