import Device
import Hub
import Parameters

/// The channels of the sound device that each listener is played on: `/listener/N/output`.
final class OutputController {
    private let hub: Hub
    private let routes: OutputRoutes
    /// Number of channels of the current device.
    private let channels: () -> Int

    init(hub: Hub, routes: OutputRoutes, channels: @escaping () -> Int) {
        self.hub = hub
        self.routes = routes
        self.channels = channels
    }

    func connect() {
        for listener in 0..<routes.listeners {
            let index = hub.tree.index(ListenerParameter.output, listener)
            hub.publish(index, .text(text(listener)))
            hub.onSet(index) { [unowned self] value, message in
                do { try set(listener, value.text ?? "") } catch {
                    throw RequestError("\(ListenerParameter.output.address(listener)): \(error)")
                }
                message.store(instead: .text(text(listener)))
            }
        }
        for listener in routes.listeners..<hub.tree.listeners {
            hub.onSet(hub.tree.index(ListenerParameter.output, listener)) { [unowned hub] _, _ in
                throw RequestError(
                    "\(ListenerParameter.output.address(listener)): network listeners have no channels of the sound device; only listeners "
                        + "1 to \(hub.tree.wired) have")
            }
        }
    }

    /// Plays listeners on pairs of channels; other listeners that use these channels lose them.
    /// - Parameter pairs: by listener, counted from 0.
    func prefer(_ pairs: [Int: ChannelPair]) {
        guard pairs.contains(where: { routes[$0.key] != $0.value }) else { return }
        for listener in 0..<routes.listeners where pairs[listener] == nil {
            guard let present = routes[listener], let taken = pairs.first(where: { $0.value.overlaps(present) }) else { continue }
            hub.notice("listener \(listener + 1) is no longer played on \(present): --output plays listener \(taken.key + 1) there")
            hub.set(ListenerParameter.output.address(listener), to: [.string("")])
        }
        let wanted = pairs.map { (listener: $0.key, text: $0.value.description) }.sorted { $0.listener < $1.listener }
        hub.clearOutputs(
            wanted.map { listener, text in
                let node = hub.tree.nodes[hub.tree.index(ListenerParameter.output, listener)]
                return (node.address, node.spec, .text(text))
            })
        for (listener, text) in wanted { hub.set(ListenerParameter.output.address(listener), to: [.string(text)]) }
    }

    private func set(_ listener: Int, _ text: String) throws(DeviceError) {
        let isNone = text.allSatisfy(\.isWhitespace)
        try routes.set(listener, isNone ? nil : ChannelPair(text), channels: channels())
    }

    private func text(_ listener: Int) -> String { routes[listener]?.description ?? "" }
}
