internal import DSP

/// The room that the sound objects are in.
public enum RoomParameter: Int, ParameterGroup {
    case on, size, place, turn, order, early, late, lock, load, state, materials, own

    public static let container = "/room"
    public static let summary = "The room that the sound objects are in: a shoebox with a material on each wall."
    public static var topic: Topic? { .objects }
    /// Initial material of all walls.
    public static let firstMaterial = "plasterboard"
    /// Bytes of the definitions of own materials.
    public static let longestDefinitions = 4096

    public var spec: ParameterSpec {
        switch self {
        case .on:
            .toggle("Room", "Whether objects are in the room instead of a free field.", role: .roomOn).smoothed(Self.fade)
        case .size:
            .vector(
                "Size", ["length", "width", "height"], 1...100, initial: [8, 6, 3], unit: .metre,
                "Length from front to back, width from left to right, and height.", role: .roomSize
            ).smoothed(Self.fade).stepped
        case .place:
            .vector(
                "Place", ["front", "left", "up"], -100...100, initial: [0, 0, -1.5], unit: .metre,
                "Middle of the floor relative to the listeners, who must be inside, at least 0.1 m from the walls.", role: .roomPlace
            ).smoothed(Self.fade).stepped
        case .turn:
            .degrees("Turn", -180...180, "Yaw of the room's front in the world, positive to the left.", role: .roomTurn)
                .circular.smoothed(Self.fade).stepped
        case .order:
            .init(
                title: "Order of reflections",
                summary: "Maximum number of reflections at walls for which image sources are "
                    + "computed; the rest is late field.", kind: .integer, range: 0...5, initial: .number(3), role: .roomOrder
            ).smoothed(Self.fade).stepped
        case .early:
            .decibels("Reflections", -60...12, "Level of the reflections relative to the computed one.", role: .roomEarly).smoothed(.level)
        case .late:
            .decibels("Late field", -60...12, "Level of the reverberation relative to the computed one.", role: .roomLate).smoothed(.level)
        default: service
        }
    }

    /// Crossfade from the previous room.
    static let fade = Smoothing.crossfade(seconds: SmoothingTime.room)

    /// Parameters that do not change the sound directly.
    private var service: ParameterSpec {
        switch self {
        case .lock:
            .toggle(
                "Lock",
                "Refuses changes of size, place, turn, order and walls, except by sessions, scenes and undo.", role: .roomLock)
        case .load:
            .text(
                "Load", "Loads a room from a JSON file of the rooms folder: its walls, its own materials and its air, and turns it on.",
                access: .write, role: .roomLoad)
        case .state:
            .text(
                "Room state",
                "Loading while the room is computed, ready with its reverberation time at 1 kHz, or failed with a reason; "
                    + "empty while it is off.", access: .read, role: .roomState)
        case .materials:
            .text(
                "Materials", "Available wall materials, one per line: name, colour as #rrggbb and title, separated by tabs.",
                access: .read, role: .roomMaterials)
        default:
            .text(
                "Own materials",
                "Definitions of additional materials, in the format of the array materials in a room's file; empty for "
                    + "none.",
                role: .roomOwn
            ).limited(to: Self.longestDefinitions)
        }
    }
}
