/// Arrangement of the two eyes' pictures in a frame of 360-degree video.
public enum VideoLayout: Int, CaseIterable, Sendable {
    /// As the file's metadata say; mono without any.
    case automatic
    /// One picture for both eyes.
    case mono
    /// The left eye's picture above the right eye's.
    case topBottom
    /// The left eye's picture to the left of the right eye's.
    case sideBySide

    /// Names in files, addresses and options.
    public static let names = ["auto", "mono", "top-bottom", "side-by-side"]
    public var name: String { Self.names[rawValue] }

    public init?(_ name: String) {
        guard let number = Self.names.firstIndex(of: name) else { return nil }
        self.init(rawValue: number)
    }
}
