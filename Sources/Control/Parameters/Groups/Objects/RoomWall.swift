/// The materials of the room's walls.
public enum RoomWall: Int, ParameterGroup {
    case front, back, left, right, ceiling, floor

    public static let container = "/room/wall"
    public static let summary = "Materials of the room's walls, by name."
    public static var topic: Topic? { .objects }

    public var spec: ParameterSpec {
        .text(title, "Name of the material; /room/materials lists them.", role: .roomWall)
            .initially(RoomParameter.firstMaterial).limited(to: 64).smoothed(RoomParameter.fade)
    }

    private var title: String {
        switch self {
        case .front: "Front wall"
        case .back: "Back wall"
        case .left: "Left wall"
        case .right: "Right wall"
        case .ceiling: "Ceiling"
        case .floor: "Floor"
        }
    }
}
