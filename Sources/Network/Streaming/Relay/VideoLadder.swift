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
