/// One way to encode a picture.
public struct VideoStrategy: Hashable, Sendable {
    /// Bits per second.
    public var bitrate: Int
    /// Pictures per second.
    public var rate: Int
    /// Lines of the picture; its width follows from its shape.
    public var height: Int

    public init(bitrate: Int, rate: Int, height: Int) {
        self.bitrate = bitrate
        self.rate = rate
        self.height = height
    }
}
