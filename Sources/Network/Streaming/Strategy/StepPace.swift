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
