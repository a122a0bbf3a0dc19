/// Strategies within bounds, the best first. Each needs clearly less of the network than the one before, so that changes are few.
public struct StrategyLadder: Sendable, Equatable {
    /// Bit rate of the first compressed strategy after plain sound.
    private static let afterPlain = 128_000
    /// Largest share of the wire rate that a step down keeps.
    private static let step = 0.75
    /// Milliseconds of sound that may be sent together at the last resort.
    private static let together = 60

    public let steps: [StreamStrategy]

    /// - Parameter steps: the best first; at least one.
    public init(steps: [StreamStrategy]) {
        precondition(!steps.isEmpty, "a ladder has at least one strategy")
        self.steps = steps
    }

    public init(_ bounds: StreamBounds) {
        var steps = [StreamStrategy(bounds.best)]
        var encoding = bounds.best
        if encoding.codec == .plain, bounds.mayCompress {
            encoding = StreamEncoding(
                codec: .opus, bitrate: max(Self.afterPlain, bounds.lowestBitrate), milliseconds: encoding.milliseconds)
            steps.append(StreamStrategy(encoding))
        }
        while encoding.codec == .opus {
            let next = StreamEncoding(
                codec: .opus, bitrate: max(bounds.lowestBitrate, encoding.bitrate / 2),
                milliseconds: min(bounds.longest, encoding.milliseconds * 2))
            guard next != encoding else { break }
            encoding = next
            steps.append(StreamStrategy(next))
        }
        let most = encoding.codec == .opus ? Self.together / encoding.milliseconds : 1
        if most > 1 { steps.append(StreamStrategy(encoding, packetsTogether: most)) }
        var kept: [StreamStrategy] = []
        for (index, strategy) in steps.enumerated() {
            // The last one is the least that the bounds allow, and stays.
            if index == steps.count - 1, let last = kept.last, kept.count > 1,
                Double(strategy.wireRate) > Self.step * Double(last.wireRate)
            {
                kept.removeLast()
            }
            let isSmaller = kept.last.map { Double(strategy.wireRate) <= Self.step * Double($0.wireRate) } ?? true
            if isSmaller || index == steps.count - 1 { kept.append(strategy) }
        }
        self.steps = kept.filter { bounds.allow($0) }
    }
}
