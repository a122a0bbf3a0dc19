/// One rack of effects: what stands in it, and files it comes from and goes to.
///
/// Instances are the racks in the order of ``RackPosition``: of the recording, of the live input, of each listener.
public enum RackParameter: Int, ParameterGroup {
    case layout, add, remove, preset, load, save, clear, title, latency

    public static let container = "/rack/{n}"
    public static let summary = "Effects in rows and branches, changed while they sound."
    public static var topic: Topic? { .effects }

    public static func container(_ instance: Int) -> String { RackPosition(instance: instance).container }

    /// The names of presets belong to a folder; ``ParameterTree`` fills them in.
    public var spec: ParameterSpec {
        switch self {
        case .layout:
            .text(
                "Layout",
                "Which slots stand where: 1 (2 3 | 4) 5 has 2 and 3 in a row beside 4. What it leaves out is taken out.",
                role: .rackLayout)
        case .add:
            .choice(
                "Add effect", EffectKind.allCases.map(\.name), "Puts an effect at the end, in the lowest free slot.",
                access: .write, role: .rackAdd)
        case .remove:
            .init(
                title: "Remove slot", summary: "Takes a slot out; what sounds in it rings out.", kind: .integer,
                range: 1...16, initial: .number(1), access: .write, role: .rackRemove)
        case .preset:
            .choice("Preset", [], "Exchanges the rack for one that came with the program.", access: .write, role: .rackPreset)
        case .load: .text("Load rack", "Path of a rack file to load.", access: .write)
        case .save: .text("Save rack", "Path to save the rack to.", access: .write)
        case .clear: .impulse("Empty rack", "Takes everything out.")
        case .title: .text("Rack", "What was loaded last.", access: .read)
        case .latency:
            .gauge("Rack latency", 0...65_536, unit: .sample, "What its effects add to the time sound takes.")
        }
    }
}
