internal import Cameras
import Device
import Engine
import ListenerStreams
import Render
import Web

/// Streams to clients, and the sound that they send.
extension Server {
    /// Streams follow the parameters, and parameters report the state of the streams.
    func connectStreams() {
        let groups = engine.listeners.groups
        let parameters = StreamParameters(hub: engine.hub, streams: features.streams) { groups.delays }
        parameters.apply()
        web.loop.every(100) { parameters.apply() }
        web.loop.every(1000) {
            groups.publish()
            parameters.publish()
        }
    }

    /// Sound objects can use the microphones that are offered at `/camera`.
    func connectCameras() {
        let (cameras, objects, format) = (features.cameras, engine.objectCameras, engine.format)
        guard options.network.cameras > 0 else { return }
        objects.names = { cameras.soundNames }
        objects.receive = { object, name, deliver in
            cameras.receiveSound(
                of: name, for: object, rate: format.rate, period: format.period, floor: 1000 * Double(LiveSound.fade), deliver: deliver)
        }
        objects.release = { cameras.releaseSound(of: $0) }
        objects.state = { cameras.soundState(of: $0) }
    }
}
