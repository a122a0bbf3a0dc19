/// The 360-degree video of the recording, which the page `/view` shows.
public enum VideoParameter: Int, ParameterGroup {
    case file, offset, layout, yaw, pitch, roll, found, version

    public static let container = "/transport/video"
    public static let summary = "The 360-degree video of the recording, shown by the page /view."
    public static var topic: Topic? { .session }
    public static let order: [Self] = [.file, .found, .layout, .offset, .yaw, .pitch, .roll]
    /// Where the pictures of the two eyes are in a frame.
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
                title: "Video offset", summary: "Time by which the picture comes later than the sound of the same moment.",
                unit: .millisecond, range: -10_000...10_000, initial: .number(0), role: .videoOffset
            ).kept(.session)
        case .layout:
            .choice(
                "Stereo layout",
                Self.layouts, "Where the pictures of the two eyes are in a frame; auto goes by the file's metadata.", role: .videoLayout
            ).kept(.session)
        case .yaw:
            .degrees(
                "Video front", -180...180, "Direction in the picture of the front of the microphone array, positive to the left.",
                role: .videoYaw
            ).circular.kept(.session)
        case .pitch:
            .degrees("Horizon pitch", -90...90, "Raises the picture, to set its horizon straight.", role: .videoPitch).kept(.session)
        case .roll:
            .degrees("Horizon roll", -90...90, "Turns the picture about the front, to set its horizon straight.", role: .videoRoll)
                .kept(.session)
        case .found:
            .text("Video contents", "Codec, size, frame rate, length and stereo layout of the file.", access: .read, role: .videoFound)
        case .version:
            .counter("Video version", "Number of the video that GET /video returns; 0 for none.", role: .videoVersion)
        }
    }
}
