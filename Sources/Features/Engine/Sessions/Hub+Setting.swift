import CRealtime
import Hub
import Parameters

extension Hub {
    /// Sets a parameter as part of a client's request.
    /// - Returns: the answer that the client would get.
    @discardableResult
    func set(_ address: String, to arguments: [Argument]) -> Reply {
        // "No recording" is a state that cannot be loaded.
        if address == SessionParameter.recording.address(), arguments == [.string("")] { return .done }
        var message = Message(address: address, arguments: arguments, receiveTime: rt_now())
        message.isRestored = true
        return handle(message)
    }

    /// Frees the channels of listeners that are about to get others, so that they can exchange them.
    func clearOutputs(_ settings: [(address: String, spec: ParameterSpec, value: ParameterValue)]) {
        for (address, spec, value) in settings {
            guard let index = tree.index(at: address), tree.isOutput(tree.nodes[index]), self.value(index) != value,
                self.value(index) != spec.initial
            else { continue }
            set(address, to: spec.arguments(spec.initial))
        }
    }
}

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
