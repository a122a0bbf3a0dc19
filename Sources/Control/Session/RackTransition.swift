internal import Effects
public import Parameters
public import Rack

/// The transition from one rack to another: effects change at once, their settings may crossfade.
public enum RackTransition {
    /// The new rack, with the current settings of the effects that stay the same.
    public static func start(from old: RackDescription, to new: RackDescription) -> RackDescription {
        let (before, after) = (RackModel(old), RackModel(new))
        var start = after
        for (number, slot) in after.slots {
            guard let was = before.slots[number]?.description, was.kind == slot.description.kind else { continue }
            start.edit(number) { slot in
                slot.values = was.values
                slot.mix = was.mix
                slot.bypass = was.bypass
            }
        }
        if before.layout == after.layout {
            for (i, branch) in before.branches.enumerated() { start.set(mix: branch.mix, branch: i) }
        }
        return start.description
    }

    /// Every setting of a rack, by its address.
    /// - Parameter container: of the rack.
    public static func settings(_ rack: RackDescription, in container: String) -> [(address: String, value: ParameterValue)] {
        let model = RackModel(rack)
        var settings: [(address: String, value: ParameterValue)] = []
        for (number, slot) in model.slots.sorted(by: { $0.key < $1.key }) {
            let (description, place) = (slot.description, container + RackSlotParameter.container(number - 1))
            settings.append(("\(place)/\(RackSlotParameter.bypass.leaf)", .number(description.bypass ? 1 : 0)))
            settings.append(("\(place)/\(RackSlotParameter.mix.leaf)", .number(description.mix)))
            for (i, parameter) in description.kind.parameters.enumerated() where parameter.spec.isScalar {
                settings.append(("\(place)/\(description.kind.name)/\(parameter.name)", .number(description.values[i])))
            }
        }
        for (i, branch) in model.branches.enumerated() {
            settings.append(("\(container)\(RackBranchParameter.container(i))/\(RackBranchParameter.mix.leaf)", .number(branch.mix)))
        }
        return settings
    }
}
