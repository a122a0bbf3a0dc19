/// Choices about the cameras that browsers exchange.
public struct CameraOptions {
    /// Browsers that may exchange cameras at once; 0 for none.
    public var most: Int
    /// Whether the engine has objects that can sound their microphones.
    public var hears: Bool

    public init(most: Int = 64, hears: Bool = false) {
        self.most = most
        self.hears = hears
    }
}
