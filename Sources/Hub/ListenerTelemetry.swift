internal import Crossing
internal import Parameters
internal import Tracking

/// What one listener reports: its ears' levels, its weights, and the pose in use when a tracker sent it.
final class ListenerTelemetry {
    private let hub: Hub
    private let index: Int
    private var meters: Ring<ListenerFrame>.Consumer
    private var levels = Levels()
    private var newest: ListenerFrame?
    /// A pose that came through the hub; what a tracker sent before it is over, however late it is reported.
    var superseded: UInt64 = 0

    init(hub: Hub, index: Int, meters: consuming Ring<ListenerFrame>.Consumer) {
        self.hub = hub
        self.index = index
        self.meters = meters
    }

    /// Takes what has been reported since the last time.
    func collect() -> TelemetryDelta.Listener {
        var heard = Levels()
        while let frame = meters.pop() {
            heard.add(
                Levels(
                    peak: [frame.peak[0], frame.peak[1]], energy: [frame.energy[0], frame.energy[1]], frames: frame.frames))
            newest = frame
        }
        levels.add(heard)
        return .init(levels: heard, pose: heard.isEmpty ? nil : newest?.pose)
    }

    /// Publishes what has been collected.
    func publish() {
        guard let newest, !levels.isEmpty else { return }
        let tree = hub.tree
        hub.publish(tree.slot(ListenerMeter.peak, index), .vector(levels.peak))
        hub.publish(tree.slot(ListenerMeter.rms, index), .vector(levels.rms))
        levels = Levels()
        let count = Int(newest.count)
        func rows(_ weights: InlineArray<128, Float>) -> ParameterValue {
            .vector((0..<count).map { weights[$0] } + (0..<count).map { weights[64 + $0] })
        }
        hub.publish(tree.slot(ListenerMeter.lowWeight, index), rows(newest.low))
        hub.publish(tree.slot(ListenerMeter.highWeight, index), rows(newest.high))
        hub.publish(tree.slot(ListenerParameter.latency, index), .number(Float(newest.latency)))
        hub.publish(tree.slot(ListenerParameter.crossover, index), .number(newest.crossover))
        publishPose(newest.pose)
    }

    /// Poses that came through the hub are known there already; saying them again would be an echo.
    private func publishPose(_ pose: HeadPose) {
        guard pose.id > superseded, pose.origin == .network else { return }
        let q = pose.quaternion
        let (yaw, pitch, roll) = Orientation.angles(q)
        hub.publish(hub.tree.slot(ListenerParameter.ypr, index), .vector([yaw, pitch, roll]))
        hub.publish(hub.tree.slot(ListenerParameter.quaternion, index), .vector([q[0], q[1], q[2], q[3]]))
    }
}
