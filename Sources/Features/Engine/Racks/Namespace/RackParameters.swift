import Hub
import Parameters
import Rack

/// The parameters of a rack's slots and branches, added to the hub and removed from it as the rack changes.
final class RackParameters {
    /// Called when a client sets something of a slot, with the slot's number.
    var onSlot: (Int, SlotEdit) throws -> Void = { _, _ in }
    /// Starts the work that an edit of a slot needs.
    var need: (SlotEdit) throws -> (any PendingWork)? = { _ in nil }
    /// Called when a client sets the mix of a branch, counted from 0.
    var onMix: (Int, Float) -> Void = { _, _ in }
    private let hub: Hub
    private let container: String
    private var slots: [Int: SlotParameters] = [:]
    private var branches: BranchParameters

    /// - Parameter container: address of the rack.
    init(hub: Hub, container: String) {
        self.hub = hub
        self.container = container
        branches = BranchParameters(hub: hub, container: container)
    }

    /// Numbers of the slots that have parameters.
    var numbers: Dictionary<Int, SlotParameters>.Keys { slots.keys }

    /// Shows the settings of a slot that has parameters already.
    func show(_ number: Int, _ slot: RackModel.Slot) { _ = slots[number]?.show(slot) }

    /// Adds the parameters of new slots and branches, and removes those of former ones.
    /// - Returns: whether any parameter was added, removed or renamed.
    func describe(_ model: RackModel) -> Bool {
        var isChanged = false
        for (number, old) in slots where model.slots[number] == nil {
            old.leave()
            slots[number] = nil
            isChanged = true
        }
        for (number, slot) in model.slots where slots[number]?.generation != slot.generation {
            if let known = slots[number] {
                if known.show(slot) { isChanged = true }
            } else {
                let (onSlot, need) = (onSlot, need)
                slots[number] = SlotParameters(
                    slot, hub: hub, container: "\(container)/slot/\(number)", need: need, edit: { try onSlot(number, $0) })
                isChanged = true
            }
        }
        if branches.describe(model, onMix: onMix) { isChanged = true }
        return isChanged
    }

    /// - Parameter progress: share of the slot's file that has been read, 0 to 1.
    func publish(_ number: Int, state: String, progress: Float) { slots[number]?.publish(state: state, progress: progress) }

    /// - Parameter interval: of a slot, milliseconds between echoes.
    func publish(_ meters: [Int: TelemetryDelta.Slot], interval: (Int) -> Float) {
        for (number, slot) in slots {
            slot.publish(level: meters[number]?.level ?? 0, reduction: meters[number]?.reduction ?? 0, interval: interval(number))
        }
    }
}
