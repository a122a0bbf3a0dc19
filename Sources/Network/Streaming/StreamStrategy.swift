/// One way to send a stream: its encoding, and the number of packets that are sent together to save headers.
public struct StreamStrategy: Hashable, Sendable {
    public var encoding: StreamEncoding
    public var packetsTogether: Int

    public init(_ encoding: StreamEncoding, packetsTogether: Int = 1) {
        self.encoding = encoding
        self.packetsTogether = packetsTogether
    }

    /// Bits per second on the wire.
    public var wireRate: Int { encoding.wireRate(packetsTogether: packetsTogether) }
}

/// Encoding of a stream of stereo sound. Clients of one listener with equal encodings share the work.
public struct StreamEncoding: Hashable, Sendable {
    /// Codec, by its name in the protocol.
    public enum Codec: String, Sendable, CaseIterable {
        case plain = "s16le"
        case opus
    }

    /// Bits per second that a compressed stream may have.
    public static let bitrates = 32_000...256_000
    /// Lengths of a packet, milliseconds.
    public static let lengths = [5, 10, 20]
    /// Bytes besides the sound in each packet: its header, and those of WebSocket, TCP, IP and Ethernet.
    static let overhead = 16 + 4 + 32 + 20 + 14

    public var codec: Codec
    /// Bits per second; 0 for plain sound.
    public var bitrate: Int
    /// Length of a packet, milliseconds.
    public var milliseconds: Int

    public init(codec: Codec, bitrate: Int, milliseconds: Int) {
        self.codec = codec
        self.bitrate = codec == .plain ? 0 : min(max(bitrate, Self.bitrates.lowerBound), Self.bitrates.upperBound)
        self.milliseconds = Self.lengths.contains(milliseconds) ? milliseconds : 10
    }

    /// Uncompressed packets of 10 ms, for clients that request no particular stream.
    public static let plain = StreamEncoding(codec: .plain, bitrate: 0, milliseconds: 10)

    /// Bits per second on the wire at 48,000 frames per second, with the headers of each packet.
    public func wireRate(packetsTogether: Int) -> Int {
        let sound = codec == .plain ? 48_000 * 32 : bitrate
        return sound + Self.overhead * 8 * 1000 / (milliseconds * max(1, packetsTogether))
    }
}

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

/// Chooses a strategy for a stream of sound by the state of the network, as ``StepChooser`` does.
public struct StrategyChooser: Sendable {
    /// Milliseconds without a sign of congestion before the first attempt to step up, and before the last.
    public static let patience = StepPace.sound.patience

    private let ladder: StrategyLadder
    private var steps: StepChooser

    public init(_ bounds: StreamBounds) { self.init(StrategyLadder(bounds)) }

    /// - Parameter isCautious: whether the cheapest strategy comes first.
    public init(_ ladder: StrategyLadder, isCautious: Bool = false) {
        self.ladder = ladder
        steps = StepChooser(count: ladder.steps.count, isCautious: isCautious)
    }

    public var strategy: StreamStrategy { ladder.steps[steps.step] }
    /// Whether nothing cheaper is allowed.
    public var isCheapest: Bool { steps.isCheapest }
    /// Whether this is the best strategy.
    public var isBest: Bool { steps.isBest }
    /// Number of changes so far.
    public var changes: Int { steps.changes }

    /// Notes the state of the network.
    ///
    /// - Parameter now: milliseconds of a clock that never goes back.
    /// - Returns: whether the strategy has changed.
    public mutating func note(_ state: LinkState, now: Double) -> Bool { steps.note(state, now: now) }
}
