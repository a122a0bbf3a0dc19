/// A video at a glance, as lists show it.
public struct VideoSummary: Sendable, Equatable, Codable {
    /// Size of a frame in pixels.
    public let width: Int
    public let height: Int
    /// Frames per second, two decimals; nil when the file does not state it.
    public let rate: Double?
    /// Nil when the file does not state it.
    public let seconds: Double?
    /// Name of the codec.
    public let codec: String
    /// `mono`, `top-bottom` or `side-by-side`.
    public let layout: String
    /// Whether it says that its picture shows all directions.
    public let isEquirectangular: Bool

    /// Reads the facts of a file.
    /// - Throws: ``MediaError`` for a file that browsers cannot play.
    public init(path: String) throws(MediaError) {
        let facts = try VideoFacts(path: path)
        (width, height, codec, layout) = (facts.width, facts.height, facts.codec, facts.layout.name)
        rate = facts.rate > 0 ? facts.rate.rounded(decimals: 2) : nil
        seconds = facts.duration > 0 ? facts.duration.rounded(decimals: 3) : nil
        isEquirectangular = facts.isEquirectangular
    }
}
