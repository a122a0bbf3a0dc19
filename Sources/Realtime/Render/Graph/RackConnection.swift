internal import Crossing
internal import Rack

/// Both endpoints of the handover of one rack's plans.
struct RackConnection {
    let control: Parcel<Handover<RackPlan>.Control>
    /// To be taken once.
    let realtime: Parcel<Handover<RackPlan>.Realtime>

    init() {
        let plans = Handover<RackPlan>()
        control = Parcel(plans.control)
        realtime = Parcel(plans.realtime)
    }
}
