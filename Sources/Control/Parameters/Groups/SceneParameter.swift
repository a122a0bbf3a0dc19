/// Scenes: named states of all parameters, recalled with a crossfade.
public enum SceneParameter: Int, ParameterGroup {
    case crossfade, store, recall, remove, names, current, progress

    public static let container = "/scene"
    public static let summary = "Named states of all parameters, recalled with a crossfade and kept in the session."
    public static var topic: Topic? { .session }
    /// Bytes of a name: 60 characters of up to four.
    private static let longestName = 240

    public var spec: ParameterSpec {
        switch self {
        case .crossfade:
            .init(
                title: "Crossfade",
                summary: "Duration of a recall. Values are ramped over this time, each along its own scale; switches, choices and the "
                    + "layout of racks change at the start.",
                unit: .second, range: 0...60, initial: .number(2), role: .sceneCrossfade
            ).kept(.session)
        case .store:
            .text(
                "Store scene", "Stores a scene under this name; an existing scene with that name is replaced.", access: .write,
                role: .sceneStore
            )
            .limited(to: Self.longestName)
        case .recall:
            .text(
                "Recall scene", "Recalls the scene with this name; a second argument is the duration of the crossfade, at most 3600 s.",
                access: .write, role: .sceneRecall
            ).limited(to: Self.longestName).numbered
        case .remove:
            .text("Remove scene", "Its name.", access: .write, role: .sceneRemove).limited(to: Self.longestName)
        case .names: .text("Scenes", "All names, one per line.", access: .read, role: .sceneNames)
        case .current:
            .text("Current scene", "Name of the scene recalled or stored last.", access: .read, role: .sceneCurrent)
        case .progress:
            .gauge("Recall progress", 0...1, "Share of the crossfade that has passed.", initial: 1, role: .progress)
        }
    }
}
