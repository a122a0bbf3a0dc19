/// Bounds that the user of a sender has set. A strategy never leaves them.
public struct VideoBounds: Hashable, Sendable {
    public static let bitrates = 30_000...8_000_000
    public static let rates = 1...60
    public static let heights = 90...2160

    public let best: VideoStrategy
    public let lowest: VideoStrategy

    /// Numbers out of range are limited; a lowest one above the best counts as the best.
    public init(
        best: VideoStrategy = VideoStrategy(bitrate: 1_000_000, rate: 25, height: 480),
        lowest: VideoStrategy = VideoStrategy(bitrate: 100_000, rate: 5, height: 120)
    ) {
        func limited(_ value: Int, _ range: ClosedRange<Int>) -> Int { min(max(value, range.lowerBound), range.upperBound) }
        self.best = VideoStrategy(
            bitrate: limited(best.bitrate, Self.bitrates), rate: limited(best.rate, Self.rates), height: limited(best.height, Self.heights))
        self.lowest = VideoStrategy(
            bitrate: min(limited(lowest.bitrate, Self.bitrates), self.best.bitrate),
            rate: min(limited(lowest.rate, Self.rates), self.best.rate),
            height: min(limited(lowest.height, Self.heights), self.best.height))
    }

    /// Whether a strategy keeps the bounds.
    public func allow(_ strategy: VideoStrategy) -> Bool {
        (lowest.bitrate...best.bitrate).contains(strategy.bitrate) && (lowest.rate...best.rate).contains(strategy.rate)
            && (lowest.height...best.height).contains(strategy.height)
    }
}
