/// Scenes: how everything was set at some time, by names, recalled with a crossfade.
public enum SceneParameter: Int, ParameterGroup {
    case crossfade, store, recall, remove, names, current, progress

    public static let container = "/scene"
    public static let summary = "How everything was set, by names, recalled with a crossfade; kept in the session."
    public static var topic: Topic? { .session }

    public var spec: ParameterSpec {
        switch self {
        case .crossfade:
            .init(
                title: "Crossfade",
                summary: "How long a recall takes. Numbers walk there, each along its scale; switches, choices and what stands in racks "
                    + "change at the beginning.",
                unit: .second, range: 0...60, initial: .number(2), role: .sceneCrossfade)
        case .store: .text("Store scene", "A name; a scene that has it already is replaced.", access: .write, role: .sceneStore)
        case .recall: .text("Recall scene", "Name of the scene.", access: .write, role: .sceneRecall)
        case .remove: .text("Remove scene", "Name of the scene.", access: .write, role: .sceneRemove)
        case .names: .text("Scenes", "Their names, one a line.", access: .read, role: .sceneNames)
        case .current: .text("Scene", "Which was recalled or stored last.", access: .read, role: .sceneCurrent)
        case .progress: .gauge("Recalled", 0...1, "How much of a crossfade is done.", initial: 1, role: .progress)
        }
    }
}
