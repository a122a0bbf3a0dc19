import Broadcast
import CRealtime
import Engine
internal import Query
import Web

/// An Icecast server passes a listener's sound on.
extension Server {
    /// Starts the connection to the server, if there is one. The engine runs without waiting for it.
    func startIcecast() throws {
        guard let settings = icecast.settings, let source = IcecastSource(settings, hub: engine.hub, streams: features.streams) else {
            return
        }
        icecast.source = source
        features.metrics.add(source)
        web.loop.every(IcecastSource.interval) { source.tick(now: rt_now()) }
        try source.start()
    }
}
