import Crossing
import Device
import Engine
import ListenerStreams
import Render
import Web

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
