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

/// Strategies for pictures within bounds, the best first. Each needs half the bits of the one before, so that changes are few. With fewer
/// bits the picture becomes smaller first, then slower, down to single still pictures where the bounds allow that.
public struct VideoLadder: Hashable, Sendable {
    /// Bits per pixel below which a picture becomes smaller or slower.
    private static let density = 0.035
    /// Lines, and pictures per second, to which a picture is reduced at first; only then the bounds themselves are the limits.
    private static let (small, slow) = (240, 12)

    public let steps: [VideoStrategy]

    public init(_ bounds: VideoBounds) {
        var steps = [bounds.best]
        while let last = steps.last, last.bitrate > bounds.lowest.bitrate {
            let half = VideoStrategy(bitrate: max(bounds.lowest.bitrate, last.bitrate / 2), rate: last.rate, height: last.height)
            // The last step may be a small one; then it replaces the one before.
            if steps.count > 1, Double(half.bitrate) > 0.75 * Double(last.bitrate) { steps.removeLast() }
            steps.append(Self.fit(half, bounds))
        }
        self.steps = steps
    }

    private static func fit(_ strategy: VideoStrategy, _ bounds: VideoBounds) -> VideoStrategy {
        var fitted = strategy
        let lines = [max(small, bounds.lowest.height), bounds.lowest.height]
        let rates = [max(slow, bounds.lowest.rate), bounds.lowest.rate]
        for (height, rate) in zip(lines, rates) {
            while isThin(fitted), fitted.height > height { fitted.height = max(height, fitted.height * 3 / 4 / 2 * 2) }
            while isThin(fitted), fitted.rate > rate { fitted.rate = max(rate, fitted.rate * 3 / 5) }
        }
        return fitted
    }

    private static func isThin(_ strategy: VideoStrategy) -> Bool {
        let pixels = Double(strategy.height * strategy.height) * 16 / 9
        return Double(strategy.bitrate) < density * pixels * Double(strategy.rate)
    }
}
