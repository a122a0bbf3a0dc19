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
