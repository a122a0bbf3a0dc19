/// The 360-degree video of the recording, which the page `/view` shows.
public enum VideoParameter: Int, ParameterGroup {
    case file, offset, layout, yaw, pitch, roll, found, version

    public static let container = "/transport/video"
    public static let summary = "The 360-degree video of the recording, shown by the page /view."
    public static var topic: Topic? { .session }
    public static let order: [Self] = [.file, .found, .layout, .offset, .yaw, .pitch, .roll]
    /// Arrangement of the two eyes' pictures in a frame.
    public static let layouts = ["auto", "mono", "top-bottom", "side-by-side"]

    public var spec: ParameterSpec {
        switch self {
        case .file:
            .text(
                "Video", "File in the recordings folder, or an https:// address that browsers fetch; empty for none.",
                role: .videoFile
            ).kept(.session)
        case .offset:
            .init(
                title: "Video offset", summary: "Delay of the picture relative to the sound.",
                unit: .millisecond, range: -10_000...10_000, initial: .number(0), role: .videoOffset
            ).kept(.session)
        case .layout:
            .choice(
                "Stereo layout",
                Self.layouts, "Arrangement of the two eyes' pictures in a frame; auto uses the file's metadata.", role: .videoLayout
            ).kept(.session)
        case .yaw:
            .degrees(
                "Video front", -180...180, "Direction in the picture of the front of the microphone array, positive to the left.",
                role: .videoYaw
            ).circular.kept(.session)
        case .pitch:
            .degrees("Horizon pitch", -90...90, "Pitch of the picture, to level its horizon.", role: .videoPitch).kept(.session)
        case .roll:
            .degrees("Horizon roll", -90...90, "Roll of the picture, to level its horizon.", role: .videoRoll)
                .kept(.session)
        case .found:
            .text("Video contents", "Codec, size, frame rate, length and stereo layout of the file.", access: .read, role: .videoFound)
        case .version:
            .counter("Video version", "Number of the video that GET /video returns; 0 for none.", role: .videoVersion)
        }
    }
}
