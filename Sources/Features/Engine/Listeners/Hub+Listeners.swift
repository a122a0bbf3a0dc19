import Hub
import Parameters

extension Hub {
    /// Resets every parameter of a listener to its initial value, before the listener is removed.
    func reset(listener: Int) {
        let settings = ListenerParameter.allCases.map { tree.index($0, listener) }
        let reports = ListenerClient.allCases.map { tree.index($0, listener) }
        for index in settings + reports {
            let node = tree.nodes[index]
            guard node.spec.access == .readWrite, value(index) != node.spec.initial else { continue }
            set(node.address, to: node.spec.arguments(node.spec.initial))
        }
    }
}
