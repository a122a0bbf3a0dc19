import Engine
import WebControl

/// The parameters of streams, and the state of each.
extension Server {
    /// Streams follow the parameters, and parameters tell the state of the streams.
    func connectStreams() {
        let groups = engine.listeners.groups
        let parameters = StreamParameters(hub: engine.hub, streams: web.streams) { groups.delays }
        parameters.apply()
        web.loop.every(100) { parameters.apply() }
        web.loop.every(1000) {
            groups.publish()
            parameters.publish()
        }
    }
}
