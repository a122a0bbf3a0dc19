internal import Crossing
internal import Parameters
internal import Pose
internal import RenderInterface

/// Publishes the reports of one listener: levels at the ears, interpolation weights, and the current pose if a tracker sent it.
final class ListenerTelemetry {
    private let hub: Hub
    private let index: Int
    private var meters: Ring<ListenerFrame>.Consumer
    private var levels = Levels()
    /// Largest gain reduction that has not been published, decibels.
    private var reduction: Float = 0
    private var newest: ListenerFrame?
    /// Number of consecutive publications without a report.
    private var quiet = 0
    private static let longestQuiet = 10
    /// Identifier of the latest pose that was set through the hub; earlier poses of trackers are not published any more.
    var superseded: UInt64 = 0
    /// Whether levels are reported as silence.
    var isBlinded = false

    init(hub: Hub, index: Int, meters: consuming Ring<ListenerFrame>.Consumer) {
        self.hub = hub
        self.index = index
        self.meters = meters
    }

    /// Whether reports have come since the last call of ``collect()``.
    var hasReports: Bool { meters.count > 0 }

    /// Reads the reports since the last call.
    func collect() -> TelemetryDelta.Listener {
        guard hub.tree.isPresent[index] else { return .init() }
        var (heard, taken) = (Levels(), Float(0))
        while let frame = meters.pop() {
            newest = frame
            if isBlinded {
                heard.add(Levels(peak: [0, 0], energy: [0, 0], frames: frame.frames))
                continue
            }
            heard.add(
                Levels(
                    peak: [frame.peak[0], frame.peak[1]], energy: [frame.energy[0], frame.energy[1]], frames: frame.frames))
            taken = max(taken, frame.reduction)
        }
        levels.add(heard)
        reduction = max(reduction, taken)
        return .init(levels: heard, reduction: taken, pose: heard.isEmpty ? nil : newest?.pose)
    }

    /// Publishes the collected reports.
    func publish() {
        guard let newest, !levels.isEmpty else { return fallSilent() }
        quiet = 0
        let tree = hub.tree
        hub.publish(tree.index(ListenerMeter.peak, index), .vector(levels.peak))
        hub.publish(tree.index(ListenerMeter.rms, index), .vector(levels.rms))
        hub.publish(tree.index(ListenerMeter.reduction, index), .number((reduction * 10).rounded() / 10))
        levels = Levels()
        reduction = 0
        let count = Int(newest.count)
        func rows(_ weights: InlineArray<128, Float>) -> ParameterValue {
            .vector((0..<count).map { weights[$0] } + (0..<count).map { weights[64 + $0] })
        }
        hub.publish(tree.index(ListenerMeter.lowWeight, index), rows(newest.low))
        hub.publish(tree.index(ListenerMeter.highWeight, index), rows(newest.high))
        hub.publish(tree.index(ListenerParameter.latency, index), .number(Float(newest.latency)))
        hub.publish(tree.index(ListenerParameter.crossover, index), .number(newest.crossover))
        publishPose(newest.pose)
    }

    /// Publishes silence when nothing has arrived for a while, as from a network listener without clients.
    private func fallSilent() {
        quiet += 1
        guard quiet == Self.longestQuiet else { return }
        for meter in [ListenerMeter.peak, .rms] { hub.publish(hub.tree.index(meter, index), .vector([0, 0])) }
        hub.publish(hub.tree.index(ListenerMeter.reduction, index), .number(0))
    }

    /// Publishes a tracker's pose. Poses set through the hub are known there already and would echo.
    private func publishPose(_ pose: HeadPose) {
        guard pose.id > superseded, pose.origin == .network else { return }
        let q = pose.quaternion
        let (yaw, pitch, roll) = Orientation.angles(q)
        hub.publish(hub.tree.index(ListenerParameter.ypr, index), .vector([yaw, pitch, roll]))
        hub.publish(hub.tree.index(ListenerParameter.quaternion, index), .vector([q[0], q[1], q[2], q[3]]))
    }
}
