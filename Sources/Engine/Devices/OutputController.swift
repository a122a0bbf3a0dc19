import Device
import Hub
import Parameters

/// The channels of the sound device that each listener is played on: `/listener/N/output`.
final class OutputController {
    private let hub: Hub
    private let routes: OutputRoutes
    /// Number of channels of the present device.
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
            hub.onSet(hub.tree.index(ListenerParameter.output, listener)) { [hub] _, _ in
                throw RequestError(
                    "\(ListenerParameter.output.address(listener)): a listener on the network is not played on the sound device; "
                        + "listeners 1 to \(hub.tree.wired) are")
            }
        }
    }

    private func set(_ listener: Int, _ text: String) throws(DeviceError) {
        let isNone = text.allSatisfy(\.isWhitespace)
        try routes.set(listener, isNone ? nil : ChannelPair(text), channels: channels())
    }

    private func text(_ listener: Int) -> String { routes[listener]?.description ?? "" }
}
