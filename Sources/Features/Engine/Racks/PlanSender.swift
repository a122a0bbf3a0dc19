import Crossing
import Rack

/// Sends one rack's plans to one listener's renderer.
final class PlanSender {
    private var control: Handover<RackPlan>.Control

    init(_ control: consuming Handover<RackPlan>.Control) { self.control = control }

    /// - Returns: false when the renderer had no room; the plan is then lost.
    func send(_ plan: consuming RackPlan) -> Bool { control.send(plan) }

    /// Frees the plans that the renderer no longer uses.
    func collect() { control.collect() }
}
