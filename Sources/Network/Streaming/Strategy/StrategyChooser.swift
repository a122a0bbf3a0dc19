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
