/// One slot of a rack: there as long as the slot is, beside the effect's own parameters.
public enum RackSlotParameter: Int, ParameterGroup {
    case effect, bypass, mix, level, reduction, interval, state, progress

    public static let container = "/slot/{n}"
    public static let summary = "An effect in its place."

    public var spec: ParameterSpec {
        switch self {
        case .effect:
            .choice(
                "Effect", EffectKind.allCases.map(\.name), "Which; another one begins with its first settings.",
                role: .slotEffect)
        case .bypass: .toggle("Bypass", "Lets the sound pass; what sounds inside rings out.", role: .slotBypass)
        case .mix:
            .init(
                title: "Wet/dry", summary: "Share of the effect in what goes on.", range: 0...1, initial: .number(1),
                role: .slotMix)
        case .level:
            .gauge("Level", 0...16, unit: .linearGain, "Largest sample after it since the last report.", role: .slotLevel)
        case .reduction:
            .gauge(
                "Gain reduction", 0...90, unit: .decibel, "Largest since the last report.", role: .slotReduction)
        case .interval:
            .gauge(
                "Interval", 0...6000, unit: .millisecond, "From echo to echo: the time that is set, or that of the note.",
                role: .slotInterval)
        case .state:
            .text("File", "What has become of its file: loading, ready or failed, and why.", access: .read, role: .slotState)
        case .progress: .gauge("Loaded", 0...1, "Share of its file that has been read.", role: .slotProgress)
        }
    }

    public var isOfEverySlot: Bool { EffectKind.allCases.allSatisfy(applies) }

    /// Whether a slot of this effect has it.
    public func applies(to kind: EffectKind) -> Bool {
        switch self {
        case .effect, .bypass, .mix, .level: true
        case .reduction: [.compressor, .gate, .limiter].contains(kind)
        case .interval: kind == .delay
        case .state, .progress: kind == .convolution
        }
    }
}
