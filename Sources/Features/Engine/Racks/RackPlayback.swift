import Crossing
import Rack
import RackCore

/// The audible side of a rack: builds plans for the renderer and sends them.
final class RackPlayback {
    /// Copies of the rack with the same parameters, and the recipients of their plans.
    private struct Group {
        let builder: RackBuilder
        let senders: [PlanSender]
        /// Whether a plan could not be delivered.
        var isPending = false

        /// - Parameters:
        ///   - plans: receivers, one for each copy.
        ///   - rate: frames per second; `period`: the largest block, frames.
        init(_ plans: [Parcel<Handover<RackPlan>.Control>], rate: Int, period: Int) {
            builder = RackBuilder(rate: Float(rate), largestBlock: period, copies: plans.count)
            senders = plans.map { PlanSender($0.take()) }
        }

        mutating func send() {
            isPending = false
            for (copy, sender) in senders.enumerated() where !sender.send(builder.plan(copy: copy)) { isPending = true }
        }
    }

    private let rate: Int
    /// The initial copies, then one for each listener that was made later.
    private var groups: [Group]
    /// The rack that is heard, and its title.
    private(set) var heard = RackModel()
    private(set) var title = ""

    /// - Parameters:
    ///   - plans: receivers, one for each listener with this rack.
    ///   - rate: frames per second; `period`: the largest block, frames.
    init(_ plans: [Parcel<Handover<RackPlan>.Control>], rate: Int, period: Int) {
        self.rate = rate
        groups = [Group(plans, rate: rate, period: period)]
    }

    /// Adds a copy for a new listener.
    /// - Parameter largestBlock: maximum number of frames that the listener renders at once; for a network listener more than for the
    ///   device.
    func add(_ plan: Parcel<Handover<RackPlan>.Control>, largestBlock: Int, _ responses: ResponseLibrary) {
        var group = Group([plan], rate: rate, period: largestBlock)
        group.builder.follow(heard, enters: false) { responses.response($0) }
        group.send()
        groups.append(group)
    }

    /// Samples that the rack adds to the latency.
    var latency: Int { groups[0].builder.latency }

    /// Plays a rack instead of the current one.
    /// - Parameter fades: whether sound is running, so that new effects fade in.
    func play(_ model: RackModel, title: String, fades: Bool, _ responses: ResponseLibrary) {
        follow(model, fades: fades, responses)
        for place in groups.indices { groups[place].send() }
        heard = model
        self.title = title
    }

    func follow(_ model: RackModel, fades: Bool, _ responses: ResponseLibrary) {
        for group in groups { group.builder.follow(model, enters: fades) { responses.response($0) } }
    }

    /// Sets one control of a slot, if the slot is heard already.
    func set(_ number: Int, _ control: Int, _ value: Float, of model: RackModel) {
        guard heard.slots[number]?.generation == model.slots[number]?.generation else { return }
        for group in groups { group.builder.set(number, control, value) }
    }

    /// Bypasses the whole rack, or ends its bypass.
    /// - Parameter fades: whether sound is running.
    func set(bypass isOn: Bool, fades: Bool) {
        for place in groups.indices where groups[place].builder.set(bypass: isOn, fades: fades) { groups[place].send() }
    }

    /// Largest samples before and after the rack since the last call.
    func takeLevels() -> (input: Float, output: Float) {
        groups.reduce((0, 0)) { most, group in
            let levels = group.builder.takeLevels()
            return (max(most.0, levels.input), max(most.1, levels.output))
        }
    }

    /// Sets all controls of a slot, if the slot is heard already.
    func set(_ number: Int, of model: RackModel) {
        guard let settings = model.slots[number]?.description else { return }
        set(number, RackSlot.Control.bypass, settings.bypass ? 1 : 0, of: model)
        set(number, RackSlot.Control.mix, settings.mix, of: model)
        for (place, value) in settings.values.enumerated() { set(number, RackSlot.Control.first + place, value, of: model) }
    }

    /// Whether all plans were delivered.
    var isTidy: Bool { !groups.contains(where: \.isPending) }

    /// Frees effects that have rung out, and repeats plans that were not delivered.
    func tidy() {
        for place in groups.indices {
            groups[place].senders.forEach { $0.collect() }
            if groups[place].builder.tidy() || groups[place].isPending { groups[place].send() }
        }
    }

    /// Level, linear, and gain reduction, decibels, of a slot since the last call.
    func takeMeters(_ number: Int) -> (level: Float, reduction: Float) {
        groups.reduce((0, 0)) { most, group in
            let meters = group.builder.takeMeters(number)
            return (max(most.0, meters.level), max(most.1, meters.reduction))
        }
    }

    /// Number of times that the effect of a slot was cleared, in all and with samples that were not finite.
    func resets(_ number: Int) -> (all: Int, nonFinite: Int) {
        groups.reduce((0, 0)) { sum, group in
            let counts = group.builder.resets(number)
            return (sum.0 + counts.all, sum.1 + counts.nonFinite)
        }
    }
}

/// Sends one rack's plans to one listener's renderer.
final class PlanSender {
    private var control: Handover<RackPlan>.Control

    init(_ control: consuming Handover<RackPlan>.Control) { self.control = control }

    /// - Returns: false when the renderer had no room; the plan is then lost.
    func send(_ plan: consuming RackPlan) -> Bool { control.send(plan) }

    /// Frees the plans that the renderer no longer uses.
    func collect() { control.collect() }
}
