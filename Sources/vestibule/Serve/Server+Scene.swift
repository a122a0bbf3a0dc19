import Binaural
import Crossing
import Device
import Engine
import Hub
import Parameters
import Render
import WebControl

/// The scene for browsers that render their listeners themselves, and what all clients of streams learn about their listeners.
extension Server {
    private static let settings: [ListenerParameter] = [.method, .gain, .mute, .earAzimuth, .front, .fixedMicrophone]

    /// Sends the scene to clients that ask for it.
    func connectScene() {
        web.streams.describe = { [unowned self] in listenerText($0 - 1) }
        followSettings()
        guard let line = engine.lines.network.scene else { return }
        let reader = SceneReader(line.blocks.take())
        let gate = line.isNeeded.take()
        let arrays = engine.playback.arrays
        web.streams.scene = SceneStream(
            on: web.loop, rate: engine.format.rate, read: { reader.read($0) }, describe: { arrays[$0].map(SceneReader.description) },
            turn: { gate.set($0) })
    }

    /// Tells clients the settings of their listeners after a change.
    private func followSettings() {
        let (hub, tree, streams) = (engine.hub, engine.tree, web.streams)
        let changes = hub.subscribe {}
        changes.listen(tree.index(ArraySetting.crossover))
        changes.listen(tree.index(ProtectionParameter.ceiling))
        changes.listen(tree.index(RackParameter.layout, RackPosition.recording.instance))
        var followed: Set<Int> = []
        var known: [Int: Int] = [:]
        var shape = hub.shape
        web.loop.every(20) {
            // A listener that was away is another one, whose parameters nobody follows yet.
            if hub.shape != shape { (followed, shape) = ([], hub.shape) }
            for listener in streams.described where followed.insert(listener).inserted {
                let rack = tree.index(RackParameter.layout, RackPosition.output(listener - 1).instance)
                for index in Self.settings.map({ tree.index($0, listener - 1) }) + [rack] {
                    changes.listen(index)
                    known[index] = listener
                }
            }
            guard changes.hasPending else { return }
            let changed = changes.takePending().map { known[$0] }
            let listeners = changed.contains(nil) ? streams.described : Array(Set(changed.compactMap(\.self)))
            for listener in listeners { streams.refresh(listener: listener) }
        }
    }

    /// The settings of a listener as a browser needs them.
    private func listenerText(_ listener: Int) -> String {
        let (hub, tree) = (engine.hub, engine.tree)
        func number(_ parameter: ListenerParameter) -> Float { hub.value(tree.index(parameter, listener)).numbers[0] }
        let hasEffects = [RackPosition.recording, .output(listener)].contains {
            hub.value(tree.index(RackParameter.layout, $0.instance)).text?.isEmpty == false
        }
        let name = (InterpolationMethod(rawValue: Int(clamping: number(.method))) ?? .standard).name
        return "{\"type\":\"listener\",\"method\":\"\(name)\",\"gain\":\(number(.gain)),\"mute\":\(number(.mute) != 0),"
            + "\"earAzimuth\":\(number(.earAzimuth)),\"front\":\(number(.front)),"
            + "\"fixedMicrophone\":\(Int(clamping: number(.fixedMicrophone))),"
            + "\"racks\":\(hasEffects),\"ceiling\":\(hub.value(tree.index(ProtectionParameter.ceiling)).numbers[0]),"
            + "\"crossover\":\(hub.value(tree.index(ArraySetting.crossover)).numbers[0])}"
    }
}
