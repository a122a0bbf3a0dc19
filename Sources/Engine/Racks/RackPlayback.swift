import Crossing
import Rack

/// The side of a rack that is heard: builds plans for the renderer and sends them.
final class RackPlayback {
    private let builder: RackBuilder
    private let senders: [PlanSender]
    /// The rack that is heard, and its title.
    private(set) var heard = RackModel()
    private(set) var title = ""
    /// Whether a plan did not get through.
    private var isPending = false

    /// - Parameters:
    ///   - plans: receivers, one for each listener with this rack.
    ///   - rate: frames per second; `period`: the largest block, frames.
    init(_ plans: [Parcel<Handover<RackPlan>.Control>], rate: Int, period: Int) {
        builder = RackBuilder(rate: Float(rate), largestBlock: period, copies: plans.count)
        senders = plans.map { PlanSender($0.take()) }
    }

    /// Samples that the rack adds to the latency.
    var latency: Int { builder.latency }

    /// Lets a rack be heard in place of the present one.
    /// - Parameter fades: whether sound is running, so that new effects fade in.
    func play(_ model: RackModel, title: String, fades: Bool, _ responses: ResponseLibrary) {
        follow(model, fades: fades, responses)
        send()
        heard = model
        self.title = title
    }

    func follow(_ model: RackModel, fades: Bool, _ responses: ResponseLibrary) {
        builder.follow(model, enters: fades) { responses.response($0) }
    }

    /// Sets one control of a slot, if the slot is heard already.
    func set(_ number: Int, _ control: Int, _ value: Float, of model: RackModel) {
        guard heard.slots[number]?.generation == model.slots[number]?.generation else { return }
        builder.set(number, control, value)
    }

    /// Bypasses the whole rack, or ends its bypass.
    /// - Parameter fades: whether sound is running.
    func set(bypass isOn: Bool, fades: Bool) { if builder.set(bypass: isOn, fades: fades) { send() } }

    /// Largest samples before and after the rack since the last call.
    func takeLevels() -> (input: Float, output: Float) { builder.takeLevels() }

    /// Sets all controls of a slot, if the slot is heard already.
    func set(_ number: Int, of model: RackModel) {
        guard let settings = model.slots[number]?.description else { return }
        set(number, RackSlot.Control.bypass, settings.bypass ? 1 : 0, of: model)
        set(number, RackSlot.Control.mix, settings.mix, of: model)
        for (place, value) in settings.values.enumerated() { set(number, RackSlot.Control.first + place, value, of: model) }
    }

    private func send() {
        isPending = false
        for (copy, sender) in senders.enumerated() where !sender.send(builder.plan(copy: copy)) { isPending = true }
    }

    /// Frees effects that have rung out, and sends again what did not get through.
    func tidy() {
        senders.forEach { $0.collect() }
        if builder.tidy() || isPending { send() }
    }

    /// Level, linear, and gain reduction, decibels, of a slot since the last call.
    func takeMeters(_ number: Int) -> (level: Float, reduction: Float) { builder.takeMeters(number) }

    /// Number of times that the effect of a slot was cleared, in all and with samples that were not finite.
    func resets(_ number: Int) -> (all: Int, nonFinite: Int) { builder.resets(number) }
}
