import CRealtime
import Engine
import MQTT
import Web

/// The engine's follower is at both ends: it mirrors another engine, and has what others mirror.
extension EngineFollower: EngineMirror, SharedEngine {}

/// An MQTT broker carries state and commands between the engine and other programs.
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
