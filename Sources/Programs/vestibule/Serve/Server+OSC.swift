import CRealtime
import Crossing
import Engine
import Hub
import OSCControl
import Pose
internal import Query
import Render
import RenderInterface
import Trackers

/// OSC and head poses on their way to the engine.
extension Server {
    /// The socket of OSC and trackers, which passes poses to the listeners' heads and everything else to `queue`.
    static func receiver(
        _ network: NetworkOptions, _ engine: Engine, _ queue: consuming DatagramRing.Producer, _ admission: OSCAdmission,
        reports: ReportQueue,
        recognised: ReportQueue
    ) throws -> OSCReceiver {
        let inlets = zip(engine.lines.heads, engine.listeners.arrivals.network).map { head, arrivals in
            PoseInlet(head.poses.take(), horizon: head.horizon, arrivals: arrivals)
        }
        return try OSCReceiver(
            host: network.bind, port: network.oscPort, inlets: inlets, presence: engine.lines.heads.map(\.isPresent),
            queue: queue, admission: admission, report: { reports.add($0) }, recognised: { recognised.add($0) })
    }

    /// Lets the receiver hold messages of WebSockets that are due later, like those over UDP, and counts OSC in the metrics.
    func connectOSC() {
        features.metrics.oscCounters = receiver.counters
        features.query.hold = { [receiver] in receiver.hold($0, until: $1, of: $2) }
    }

    /// Counts poses that clients set as manual movements when trackers compete for a head, and releases the trackers of a listener that
    /// leaves.
    func connectPoses() {
        engine.listeners.poses.onManual = { [trackers] in trackers.noteManual(listener: $0, $1) }
        engine.listeners.network.onLeave = { [trackers] in trackers.release(listener: $0 + 1) }
    }
}
