internal import Crossing
internal import Rack

/// Both endpoints of the handover of one rack's plans.
struct RackConnection {
    let control: Parcel<Handover<RackPlan>.Control>
    private let realtime: Parcel<Handover<RackPlan>.Realtime>

    init() {
        let plans = Handover<RackPlan>()
        control = Parcel(plans.control)
        realtime = Parcel(plans.realtime)
    }

    /// The rack that runs the plans; to be called once.
    func makeRack(rate: Float, period: Int) -> LiveRack {
        LiveRack(plans: realtime.take(), rate: rate, largestBlock: period)
    }
}
