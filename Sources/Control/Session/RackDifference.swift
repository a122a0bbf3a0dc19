internal import Effects
internal import Parameters
internal import Rack

/// The differences between two racks, in words, one line each.
enum RackDifference {
    /// - Parameter name: name of the rack, as in sessions.
    static func lines(from old: RackDescription, to new: RackDescription, name: String) -> [String] {
        guard old != new else { return [] }
        let (before, after) = (RackModel(old), RackModel(new))
        let place = "rack " + name.split(separator: "/").joined(separator: " ")
        var lines: [String] = []
        for number in Set(before.slots.keys).union(after.slots.keys).sorted() {
            let slot = "\(place) slot \(number)"
            switch (before.slots[number]?.description, after.slots[number]?.description) {
            case (nil, let come?): lines.append("\(come.kind.name), \(slot): added")
            case (let gone?, nil): lines.append("\(gone.kind.name), \(slot): removed")
            case (let was?, let is_?) where was.kind != is_.kind:
                lines.append("Effect, \(slot): \(was.kind.name) to \(is_.kind.name)")
            case (let was?, let is_?): lines += settings(was, is_, place: slot)
            case (nil, nil): break
            }
        }
        if before.layout != after.layout {
            let words = [before, after].map { $0.layout.description.isEmpty ? "nothing" : $0.layout.description }
            lines.append("Layout, \(place): \(words[0]) to \(words[1])")
        } else {
            let mix = RackBranchParameter.mix.spec
            for (i, (was, is_)) in zip(before.branches, after.branches).enumerated() where was.mix != is_.mix {
                lines.append("\(mix.title), \(place) branch \(i + 1): \(was.mix) to \(is_.mix)")
            }
        }
        return lines + state(old.state, new.state, place: place) + unknown(old.unknown, new.unknown, place: place)
    }

    private static func state(_ was: RackState, _ is_: RackState, place: String) -> [String] {
        var lines: [String] = []
        if was.isBypassed != is_.isBypassed {
            let spec = RackParameter.bypass.spec
            let words = [was, is_].map { spec.words(.number($0.isBypassed ? 1 : 0)) }
            lines.append("\(spec.title), \(place): \(words[0]) to \(words[1])")
        }
        if was.side != is_.side { lines.append("\(RackParameter.side.spec.title), \(place): \(was.side.name) to \(is_.side.name)") }
        if was.other != is_.other { lines.append("Other side, \(place): changed") }
        return lines
    }

    private static func unknown(_ was: [String: JSON], _ is_: [String: JSON], place: String) -> [String] {
        Set(was.keys).union(is_.keys).sorted().filter { was[$0] != is_[$0] }
            .map { "\($0), \(place): changed; not known to this version" }
    }

    private static func settings(_ was: RackDescription.Slot, _ is_: RackDescription.Slot, place: String) -> [String] {
        var lines: [String] = []
        func add(_ spec: ParameterSpec, _ before: ParameterValue, _ after: ParameterValue, _ place: String) {
            if before != after { lines.append("\(spec.title), \(place): \(spec.words(before)) to \(spec.words(after))") }
        }
        add(RackSlotParameter.bypass.spec, .number(was.bypass ? 1 : 0), .number(is_.bypass ? 1 : 0), place)
        add(RackSlotParameter.mix.spec, .number(was.mix), .number(is_.mix), place)
        for (i, parameter) in was.kind.parameters.enumerated() {
            if parameter.spec.isScalar {
                add(parameter.spec, .number(was.values[i]), .number(is_.values[i]), "\(place) \(was.kind.name)")
            } else {
                add(
                    parameter.spec, .text(was.texts[parameter.name] ?? ""), .text(is_.texts[parameter.name] ?? ""),
                    "\(place) \(was.kind.name)")
            }
        }
        return lines + unknown(was.unknown, is_.unknown, place: place)
            + unknown(was.unknownParameters, is_.unknownParameters, place: "\(place) \(was.kind.name)")
    }
}
