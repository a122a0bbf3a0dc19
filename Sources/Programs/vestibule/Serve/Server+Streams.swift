import Cameras
import Crossing
import Device
import Engine
import ListenerStreams
import Render
import Web

/// Streams to clients, and the sound that they send.
extension Server {
    /// Applies the parameters of streams, and publishes the state of the streams.
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

    /// Lets sound objects use the microphones that are offered at `/camera`.
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

/// The scene for browsers that render their listeners themselves, and the descriptions of listeners for all clients of streams.
extension Server {
    /// Sends the scene, and the settings of listeners after each change, to clients that ask for them.
    func connectScene() throws {
        let (streams, descriptions) = (features.streams, engine.listeners.descriptions)
        streams.describe = { descriptions.text($0 - 1) }
        streams.latency = { descriptions.latency($0 - 1) }
        web.loop.every(20) {
            for listener in descriptions.changed(among: streams.described) {
                streams.refresh(listener: listener, changedAt: Double(descriptions.changedAt) / 1e6)
            }
        }
        guard let line = engine.lines.network.scene else { return }
        let reader = SceneReader(line.blocks.take())
        let gate = line.isNeeded.take()
        let arrays = engine.recording.playback.arrays
        streams.scene = try SceneStream(
            on: web.loop, rate: engine.format.rate, read: { reader.read($0) },
            describe: { arrays[$0].map { ArrayDescription($0.array, muted: $0.muted).members } }, turn: { gate.set($0) })
    }
}
