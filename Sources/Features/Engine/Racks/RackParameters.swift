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

/// The mix parameters of a rack's branches.
///
/// A branch keeps its parameter as long as one of its slots stays in it. Its number is its position, so that a parameter is renamed when a
/// branch before it is added or removed.
struct BranchParameters {
    private let hub: Hub
    private let container: String
    /// Index of each branch's mix.
    private var indices: [Int] = []
    /// Slots of each branch when it was last described.
    private var rows: [[Int]] = []

    /// - Parameter container: address of the rack.
    init(hub: Hub, container: String) {
        self.hub = hub
        self.container = container
    }

    /// - Parameter onMix: called when a client sets the mix of a branch, counted from 0.
    /// - Returns: whether any parameter was added, removed or renamed.
    mutating func describe(_ model: RackModel, onMix: @escaping (Int, Float) -> Void) -> Bool {
        func handler(_ branch: Int) -> Hub.Handler { { value, _ in onMix(branch, value.numbers[0]) } }
        let now = model.branches
        let matches = BranchMatch.places(of: now.map(\.slots), among: rows)
        defer { rows = now.map(\.slots) }
        let kept = Set(matches.compactMap(\.self))
        let going = indices.indices.filter { !kept.contains($0) }
        var described = matches.map { $0.map { indices[$0] } }
        for branch in going {
            _ = hub.exchange([indices[branch]], for: [], containers: [address(branch): String?.none])
        }
        // In this order each number is free by the time it is taken.
        let down = matches.indices.filter { branch in (matches[branch] ?? branch) > branch }
        let up = Array(matches.indices.filter { branch in (matches[branch] ?? branch) < branch }.reversed())
        for branch in down + up {
            guard let old = matches[branch], let index = described[branch] else { continue }
            hub.rename([(index, handler(branch))], from: address(old), to: address(branch))
        }
        for branch in now.indices where described[branch] == nil {
            let coming = TransientParameter(
                "\(address(branch))/\(RackBranchParameter.mix.leaf)", RackBranchParameter.mix.spec,
                .number(now[branch].mix), handler: handler(branch))
            described[branch] = hub.exchange([], for: [coming], containers: [address(branch): RackBranchParameter.summary])[0]
        }
        indices = described.compactMap(\.self)
        for (index, row) in zip(indices, now) { hub.publish(index, .number(row.mix)) }
        return !going.isEmpty || !down.isEmpty || !up.isEmpty || now.count != kept.count
    }

    private func address(_ branch: Int) -> String { container + RackBranchParameter.container(branch) }
}

/// Matches the current branches of a rack with its former ones.
enum BranchMatch {
    /// Returns, for each present branch, the position of the matching former branch; nil for a new branch.
    ///
    /// The positions rise. If branches have changed places, every position keeps its branch instead, as if the branches had exchanged their
    /// contents.
    ///
    /// - Parameters:
    ///   - rows: slots of each present branch; `old`: slots of each former branch.
    static func places(of rows: [[Int]], among old: [[Int]]) -> [Int?] {
        var free = Set(old.indices)
        let found = rows.map { slots -> Int? in
            let place = old.indices.first { i in
                free.contains(i) && (slots.isEmpty ? old[i].isEmpty : !Set(slots).isDisjoint(with: old[i]))
            }
            if let place { free.remove(place) }
            return place
        }
        let places = found.compactMap(\.self)
        guard zip(places, places.dropFirst()).allSatisfy(<) else {
            return rows.indices.map { $0 < old.count ? $0 : nil }
        }
        return found
    }
}
