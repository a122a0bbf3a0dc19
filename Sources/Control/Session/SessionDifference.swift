internal import Effects
public import Parameters
internal import Rack

/// The differences between two sessions, in words, one line each.
public enum SessionDifference {
    /// - Returns: the changes from one to the other; empty when they are equal.
    public static func lines(from old: SessionFile, to new: SessionFile, _ tree: ParameterTree) -> [String] {
        var lines: [String] = []
        if old.recording != new.recording {
            lines.append("Recording: \(old.recording ?? "none") to \(new.recording ?? "none")")
        }
        if old.deviceListeners != new.deviceListeners {
            lines.append("Listeners of the sound device: \(old.deviceListeners) to \(new.deviceListeners)")
        }
        lines += Self.lines(from: old.snapshot, to: new.snapshot, tree)
        for scene in old.scenes where !new.scenes.contains(where: { $0.name == scene.name }) {
            lines.append("Scene \(scene.name): removed")
        }
        for scene in new.scenes {
            guard let before = old.scenes.first(where: { $0.name == scene.name }) else {
                lines.append("Scene \(scene.name): added")
                continue
            }
            if before.snapshot != scene.snapshot { lines.append("Scene \(scene.name): changed") }
        }
        if old.scenes != new.scenes, old.scenes.count > 1, old.scenes.map(\.name).sorted() == new.scenes.map(\.name).sorted(),
            old.scenes.map(\.name) != new.scenes.map(\.name)
        {
            lines.append("Scenes: in another order")
        }
        for field in Set(old.unknown.keys).union(new.unknown.keys).sorted() where old.unknown[field] != new.unknown[field] {
            lines.append("\(field): changed; not known to this version")
        }
        return lines
    }

    /// - Returns: parameters in the order of the tree, then racks, then unknown addresses.
    public static func lines(from old: Snapshot, to new: Snapshot, _ tree: ParameterTree) -> [String] {
        var lines: [String] = []
        for node in tree.nodes where node.isInSessions {
            let (before, after) = (old.value(node), new.value(node))
            if before != after { lines.append(line(node.spec, node.address, before, after)) }
        }
        for name in Set(old.racks.keys).union(new.racks.keys).sorted() {
            lines += RackDifference.lines(
                from: old.racks[name] ?? RackDescription(), to: new.racks[name] ?? RackDescription(), name: name)
        }
        for address in Set(old.unknown.keys).union(new.unknown.keys).sorted() where old.unknown[address] != new.unknown[address] {
            lines.append("\(address): changed; not known to this version")
        }
        return lines
    }

    /// "Gain, listener 1: 0 dB to -3 dB".
    static func line(_ spec: ParameterSpec, _ address: String, _ before: ParameterValue, _ after: ParameterValue) -> String {
        "\(title(spec, address)): \(spec.words(before)) to \(spec.words(after))"
    }

    /// "Gain, listener 1": the title, and the words of the container.
    static func title(_ spec: ParameterSpec, _ address: String) -> String {
        let words = address.split(separator: "/").dropLast().joined(separator: " ")
        return words.isEmpty ? spec.title : "\(spec.title), \(words)"
    }
}

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
