import Broadcast
import CRealtime
import Engine
import Hub
import Links
import MQTT
import OSCControl
import Query
import Web

/// MIDI ports of this machine, which act on the engine.
extension Server {
    /// Starts to listen to MIDI ports.
    func startMIDI() {
        let reports = reports
        midi.inputs = MIDIInputs(options.midi.names, queue: midi.queue) { reports.add($0) }
    }

    /// Applies what controllers have sent since the last call.
    func takeMIDI() {
        for received in midi.queue.take() { engine.controllers.midi.take(received.message, time: received.time) }
        if let names = midi.queue.takeNames() { engine.controllers.midi.publish(inputs: names) }
    }
}

/// MIDI ports of this machine: their messages, and the threads that read them once they are started.
struct MIDIConnection {
    let queue: MIDIQueue
    var inputs: MIDIInputs?
}

/// The engine's follower has both roles: it mirrors another engine, and provides the state that other engines mirror.
extension EngineFollower: EngineMirror, SharedEngine {}

/// The MQTT broker, which carries state and commands between the engine and other programs.
extension Server {
    /// Starts the connection to the broker, if there is one. The engine runs without waiting for it.
    func startMQTT() throws {
        guard let settings = broker.settings else { return }
        let handle = web.loop.handle
        let follower = engine.follower
        let bridge = MQTTBridge(settings, hub: engine.hub, mirror: follower, scene: follower) { handle.wake() }
        broker.bridge = bridge
        web.loop.every(MQTTBridge.interval) { bridge.tick(now: rt_now()) }
        try bridge.start()
    }
}

/// The MQTT broker of the command line, and the connection to it once it is started; both nil without a broker.
struct BrokerConnection {
    let settings: MQTTSettings?
    var bridge: MQTTBridge?
}

/// The Icecast server, which passes a listener's sound on.
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

/// The Icecast server of the command line, and the connection to it once it is started; both nil without a server.
struct IcecastOutput {
    let settings: IcecastSettings?
    var source: IcecastSource?
}

/// OSC messages that cues send to other programs.
extension Server {
    func connectCueList() {
        let outlet = OSCOutlet { [reports] in reports.add($0) }
        engine.controllers.cueList.onSend { outlet.send($0.address, $0.arguments, to: $0.destination.host, port: $0.destination.port) }
    }
}
