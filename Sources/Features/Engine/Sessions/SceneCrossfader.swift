import CRealtime
import Hub
import Parameters
import Session

/// Runs the crossfade to a scene and publishes its progress. One crossfade at a time.
final class SceneCrossfader {
    private let hub: Hub
    private var crossfade: SceneCrossfade?

    init(hub: Hub) { self.hub = hub }

    var isRunning: Bool { crossfade != nil }

    /// - Parameter seconds: duration; 0 sets all values at the next tick.
    func start(_ changes: [SceneCrossfade.Change], seconds: Float) {
        crossfade = SceneCrossfade(changes, start: rt_now(), duration: UInt64(clamping: Double(seconds) * 1e9))
    }

    /// Stops where it is.
    func stop() { crossfade = nil }

    /// Stops, and publishes the progress as complete.
    func finish() {
        stop()
        hub.publish(hub.tree.index(SceneParameter.progress), .number(1))
    }

    /// Takes a parameter out of the crossfade.
    /// - Returns: whether the crossfade was moving it.
    @discardableResult
    func release(_ address: String) -> Bool { crossfade?.release(address) ?? false }

    /// Takes all parameters below a container out of the crossfade.
    /// - Returns: whether the crossfade was moving any of them.
    func release(below container: String) -> Bool { crossfade?.release(below: container) ?? false }

    /// Finishes a crossfade that moves nothing any more.
    func finishIfEmpty() { if crossfade?.isEmpty == true { finish() } }

    /// Sets all values for a time, CLOCK_MONOTONIC nanoseconds.
    func tick(now: UInt64) {
        guard let crossfade else { return }
        for (address, value) in crossfade.values(now) {
            guard let index = hub.tree.index(at: address), hub.value(index) != .number(value) else { continue }
            hub.handle(Message(address: address, arguments: [.float(value)], receiveTime: now))
        }
        let progress = crossfade.isEmpty ? 1 : crossfade.progress(now)
        if progress >= 1 {
            finish()
        } else {
            hub.publish(hub.tree.index(SceneParameter.progress), .number((progress * 100).rounded(.down) / 100))
        }
    }
}
