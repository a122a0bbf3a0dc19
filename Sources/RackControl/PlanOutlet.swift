internal import Crossing
internal import Rack

/// Where one rack's plans go.
final class PlanOutlet {
    private var control: Handover<RackPlan>.Control

    init(_ control: consuming Handover<RackPlan>.Control) { self.control = control }

    /// Returns false when the renderer has not run for a while; the plan is then lost.
    func send(_ plan: consuming RackPlan) -> Bool { control.send(plan) }

    func collect() { control.collect() }
}
