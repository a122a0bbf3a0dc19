/// Bounds within which a stream may adapt itself. A strategy never leaves them.
public struct StreamBounds: Hashable, Sendable {
    /// Best encoding, which the stream begins with and returns to.
    public var best: StreamEncoding
    /// Lowest bit rate of a compressed stream, bits per second.
    public var lowestBitrate: Int
    /// Longest packet, milliseconds.
    public var longest: Int
    /// Whether plain sound may become compressed sound.
    public var mayCompress: Bool

    public init(best: StreamEncoding, lowestBitrate: Int = 32_000, longest: Int = 20, mayCompress: Bool = true) {
        self.best = best
        let rates = StreamEncoding.bitrates
        let most = best.codec == .plain ? rates.upperBound : best.bitrate
        self.lowestBitrate = min(max(lowestBitrate, rates.lowerBound), most)
        self.longest = max(StreamEncoding.lengths.last { $0 <= longest } ?? 5, best.milliseconds)
        self.mayCompress = mayCompress
    }

    /// Whether a strategy keeps the bounds.
    public func allow(_ strategy: StreamStrategy) -> Bool {
        let encoding = strategy.encoding
        guard encoding.milliseconds >= best.milliseconds, encoding.milliseconds <= longest else { return false }
        guard encoding.codec != best.codec else { return encoding.bitrate <= best.bitrate && isRich(encoding) }
        return mayCompress && encoding.codec == .opus && isRich(encoding)
    }

    private func isRich(_ encoding: StreamEncoding) -> Bool { encoding.codec == .plain || encoding.bitrate >= lowestBitrate }
}
