import CRealtime
import Crossing
import Hub
import Parameters
import Pose
import Render
import RenderInterface

/// Head poses and prediction that clients set through the hub: over WebSockets, by patterns and in sessions.
///
/// Poses of trackers do not pass through here; they go straight to the renderer.
package final class PoseController {
    private let hub: Hub
    private let telemetry: Telemetry
    /// Called with every pose that comes through the hub: the listener from 1, and w x y z.
    package var onManual: (Int, SIMD4<Float>) -> Void = { _, _ in }

    init(hub: Hub, telemetry: Telemetry) {
        self.hub = hub
        self.telemetry = telemetry
    }

    /// Connects one listener.
    /// - Parameter arrivals: statistics of its poses.
    func connect(_ listener: Int, _ lines: RenderConnections.Listener, _ arrivals: PoseArrivals) {
        let inlet = PoseInlet(lines.controlPoses.take(), origin: .control, horizon: lines.predictionHorizon, arrivals: arrivals)
        connectPose(listener, inlet)
        connectTimedPose(listener)
        connectRecentring(listener)
        connectPrediction(listener)
    }

    private func connectPose(_ listener: Int, _ inlet: PoseInlet) {
        let angles = hub.tree.index(ListenerParameter.ypr, listener)
        let quaternion = hub.tree.index(ListenerParameter.quaternion, listener)
        hub.neverWaits(angles)
        hub.neverWaits(quaternion)
        hub.onSet(angles) { [unowned self] value, message in
            let ypr = value.numbers
            let q = Orientation.quaternion(yaw: ypr[0], pitch: ypr[1], roll: ypr[2])
            send(q, message, inlet, listener)
            hub.publish(quaternion, .vector([q[0], q[1], q[2], q[3]]))
        }
        hub.onSet(quaternion) { [unowned self] value, message in
            let q = value.numbers
            let unit = SIMD4(q[0], q[1], q[2], q[3])
            send(unit, message, inlet, listener)
            let (yaw, pitch, roll) = Orientation.angles(unit)
            hub.publish(angles, .vector([yaw, pitch, roll]))
        }
    }

    private func send(_ unit: SIMD4<Float>, _ message: MessageContext, _ inlet: PoseInlet, _ listener: Int) {
        inlet.send(unit: unit, receiveTime: message.receiveTime, senderTime: message.senderTime)
        telemetry.supersede(listener: listener, id: inlet.newest)
        onManual(listener + 1, unit)
    }

    /// Connects poses in OSC bundles with a later due time.
    private func connectTimedPose(_ listener: Int) {
        hub.onTimed(hub.tree.index(ListenerParameter.ypr, listener)) { [unowned self] value, due in
            let ypr = value.numbers
            send(Orientation.quaternion(yaw: ypr[0], pitch: ypr[1], roll: ypr[2]), due: due, listener)
        }
        hub.onTimed(hub.tree.index(ListenerParameter.quaternion, listener)) { [unowned self] value, due in
            let q = value.numbers
            // Its length is 1: the parameter is a rotation.
            send(SIMD4(q[0], q[1], q[2], q[3]), due: due, listener)
        }
    }

    private func send(_ unit: SIMD4<Float>, due: UInt64, _ listener: Int) {
        hub.sendTimed(TimedChange(time: due, listener: listener, quaternion: unit))
    }

    private func connectRecentring(_ listener: Int) {
        hub.onSet(hub.tree.index(ListenerParameter.recenter, listener)) { [unowned self] _, _ in
            // The hub is up to one report behind the pose that is heard.
            telemetry.publish(now: rt_now())
            let yaw = hub.value(hub.tree.index(ListenerParameter.ypr, listener)).numbers[0]
            hub.publish(hub.tree.index(ListenerParameter.front, listener), .number(yaw - 360 * (yaw / 360).rounded()))
        }
    }

    /// A word instead of milliseconds sets the parameter `autoPrediction`.
    private func connectPrediction(_ listener: Int) {
        let isAutomatic = hub.tree.index(ListenerParameter.autoPrediction, listener)
        hub.onSet(hub.tree.index(ListenerParameter.prediction, listener)) { [unowned self] value, message in
            guard let word = value.text else { return }
            hub.publish(isAutomatic, .number(word == "auto" ? 1 : 0))
            message.store(instead: .number(0))
        }
    }
}
