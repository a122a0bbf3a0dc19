internal import Crossing
internal import Rack

/// Both ends of the way of one rack's plans.
struct RackLine {
    let control: Parcel<Handover<RackPlan>.Control>
    let realtime: Parcel<Handover<RackPlan>.Realtime>

    init() {
        let plans = Handover<RackPlan>()
        control = Parcel(plans.control)
        realtime = Parcel(plans.realtime)
    }
}
