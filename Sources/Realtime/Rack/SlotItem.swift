internal import Crossing
internal import Effects
internal import Parameters
internal import RackCore

/// Control side of a slot in use: one effect for each listener, with shared parameters.
final class SlotItem {
    let number: Int
    let generation: Int
    let controls: TargetRow
    let copies: [(slot: Box<RackSlot>, meters: TargetRow)]
    let latency: Int
    var stage = RackSlot.Stage.live

    init(
        _ number: Int, _ slot: RackModel.Slot, copies: Int, rate: Float, largestBlock: Int, enters: Bool,
        response: ResponseSpectra?
    ) {
        self.number = number
        generation = slot.generation
        let description = slot.description
        controls = TargetRow([description.bypass ? 1 : 0, description.mix] + description.values)
        self.copies = (0..<copies).map { _ in
            let meters = TargetRow(.init(repeating: 0, count: SlotMeter.count))
            let slot = RackSlot(
                description, rate: rate, largestBlock: largestBlock, response: response, enters: enters)
            return (Box(slot), meters)
        }
        latency = self.copies[0].slot.pointer.pointee.latency
    }

    /// True when the slot has been removed and has rung out.
    var isGone: Bool { stage != .live && copies.allSatisfy { $0.meters[SlotMeter.gone] == 1 } }
}
