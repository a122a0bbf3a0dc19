/// Chooses a step of a ladder by the state of the network: down at once, up after a time without congestion that doubles with each
/// failed attempt, so that a narrow network does not cause changes again and again.
public struct StepChooser: Sendable {
    /// Milliseconds after a step up in which congestion means that it has failed.
    static let probation = 6000.0
    /// Milliseconds without congestion after which failed attempts no longer count.
    static let forgiven = 60_000.0
    /// Milliseconds between two steps down.
    static let rest = 500.0

    /// Number of steps.
    public let count: Int
    private let pace: StepPace
    /// The chosen step; 0 is the best.
    public private(set) var step: Int
    private var patience: Double
    private var calmSince: Double?
    private var climbed: Double?
    private var fell: Double?
    /// Number of changes so far.
    public private(set) var changes = 0

    /// - Parameters:
    ///   - count: of steps, at least one.
    ///   - isCautious: whether the cheapest step comes first.
    public init(count: Int, pace: StepPace = .sound, isCautious: Bool = false) {
        self.count = max(1, count)
        step = isCautious ? self.count - 1 : 0
        self.pace = pace
        patience = pace.patience.lowerBound
    }

    /// Whether nothing cheaper is allowed.
    public var isCheapest: Bool { step == count - 1 }
    /// Whether this is the best step.
    public var isBest: Bool { step == 0 }

    /// Notes the state of the network.
    ///
    /// - Parameter now: milliseconds of a clock that never goes back.
    /// - Returns: whether the step has changed.
    public mutating func note(_ state: LinkState, now: Double) -> Bool {
        switch state {
        case .calm: return climb(now)
        case .strained:
            calmSince = nil
            // A step up that strains the network has failed, before anything is late.
            guard let climbed, now - climbed < Self.probation else { return false }
            return fall(to: min(step + pace.depth, count - 1), now)
        case .late: return fall(to: min(step + pace.depth, count - 1), now)
        case .full:
            defer { patience = max(patience, pace.patienceAfterFull) }
            return fall(to: count - 1, now)
        }
    }

    private mutating func fall(to next: Int, _ now: Double) -> Bool {
        calmSince = nil
        if let fell, now - fell < Self.rest { return false }
        if let climbed, now - climbed < Self.probation { patience = min(pace.patience.upperBound, patience * 2) }
        climbed = nil
        guard next != step else { return false }
        fell = now
        step = next
        changes += 1
        return true
    }

    private mutating func climb(_ now: Double) -> Bool {
        guard let since = calmSince else {
            calmSince = now
            return false
        }
        if now - since >= Self.forgiven { patience = pace.patience.lowerBound }
        let start = max(since, climbed ?? since)
        guard step > 0, now - start >= patience else { return false }
        // The last step up has held.
        if let climbed, now - climbed >= Self.probation { patience = max(pace.patience.lowerBound, patience / 4) }
        step -= 1
        climbed = now
        changes += 1
        return true
    }
}

/// Times and depth of the steps of a ``StepChooser``.
public struct StepPace: Sendable {
    /// Milliseconds without a sign of congestion before the first attempt to step up, and before the last.
    public let patience: ClosedRange<Double>
    /// Milliseconds without a sign of congestion before the first attempt after the bucket was full: a network that has carried far too
    /// little seldom carries more within seconds, and an attempt that fails is heard.
    let patienceAfterFull: Double
    /// Number of steps down at once.
    let depth: Int

    public static let sound = StepPace(patience: 4000...32_000, patienceAfterFull: 12_000, depth: 1)
    /// For pictures: at most three changes a minute, because viewers notice each one; large steps down, single steps up.
    public static let picture = StepPace(patience: 30_000...120_000, patienceAfterFull: 30_000, depth: 2)
}

/// State of a connection, judged by its measurements.
public enum LinkState: Sendable, Equatable {
    /// Nothing waits.
    case calm
    /// Round trips are long or become longer; nothing is lost yet.
    case strained
    /// Packets arrive too late.
    case late
    /// The sender had to leave packets out.
    case full
}
