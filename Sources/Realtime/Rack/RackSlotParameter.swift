public import Effects
public import Parameters

/// Parameters of one slot of a rack, in addition to those of its effect. They exist for as long as the slot.
public enum RackSlotParameter: Int, ParameterGroup {
    case effect, bypass, mix, level, reduction, interval, state, progress

    public static let container = "/slot/{n}"
    public static let summary = "One effect of a rack."

    public var spec: ParameterSpec {
        switch self {
        case .effect:
            .choice(
                "Effect", EffectRegistry.standard.names, "Kind of effect. Another kind begins with its initial settings.",
                role: .slotEffect)
        case .bypass:
            .toggle("Bypass", "Passes the sound unchanged; the tail of the effect rings out.", role: .slotBypass)
                .smoothed(.slot)
        case .mix:
            .share(
                "Wet/dry", initial: 1,
                "Share of the effect in the output, linear or with constant power depending on the effect (docs/effects.md)."
            ).with(.slotMix).smoothed(.slot)
        case .level:
            .gauge("Level", 0...16, unit: .linearGain, "Peak after the effect since the last report.", role: .slotLevel)
        case .reduction:
            .gauge(
                "Gain reduction", 0...90, unit: .decibel, "Largest gain reduction since the last report.", role: .slotReduction)
        case .interval:
            .gauge(
                "Interval", 0...6000, unit: .millisecond, "Time between echoes, as set or as derived from the note value.",
                role: .slotInterval)
        case .state:
            .text(
                "File", "State of the file: loading, ready, or failed with the reason.", access: .read, role: .slotState)
        case .progress: .gauge("Loaded", 0...1, "Share of the file that has been read.", role: .slotProgress)
        }
    }

    /// Declaration of the address below the effect at which eight effects had a mix of their own: an alias of the slot's mix for one
    /// release, by the linear law of the former mix. Nil for all other effects.
    public static func formerMix(_ kind: EffectKind) -> ParameterSpec? {
        guard let initial = kind.wetDry.former else { return nil }
        var spec = ParameterSpec.share(mix.spec.title, initial: initial, "Former address of the slot's wet/dry, an alias for this release.")
        spec.access = .write
        return spec
    }

    /// True when every slot has the parameter, whatever its effect.
    public var isOfEverySlot: Bool {
        switch self {
        case .effect, .bypass, .mix, .level: true
        case .reduction, .interval, .state, .progress: false
        }
    }

    /// True when a slot with this effect has the parameter.
    public func applies(to kind: EffectKind) -> Bool {
        switch self {
        case .effect, .bypass, .mix, .level: true
        case .reduction: kind.measuresReduction
        case .interval: kind.hasInterval
        case .state, .progress: kind.hasFile
        }
    }
}

extension ParameterTree {
    /// Table of the parameters of slots and branches of a rack, for `protocol/parameters.md`.
    public static var rackMarkdown: String { tableHead + rackListed.map { row($0.address, $0.spec) }.joined() }

    /// Parameters of slots and branches of a rack, which exist only as long as their slot or branch. RACK stands for the rack's address.
    public static var rackListed: [(address: String, spec: ParameterSpec)] {
        func rows<Group: ParameterGroup>(_: Group.Type) -> [(String, ParameterSpec)] {
            Group.allCases.map { ("RACK\(Group.container)/\($0.leaf)", $0.spec) }
        }
        let effects = EffectRegistry.standard.kinds.flatMap { kind in
            let parameters = kind.parameters.map { ($0.name, $0.spec) }
            let aliases = kind.parameters.compactMap(\.alias).map { ($0.name, $0.spec) }
            let former = RackSlotParameter.formerMix(kind).map { (RackSlotParameter.mix.leaf, $0) }
            return (parameters + aliases + [former].compactMap(\.self)).map { ("RACK\(kind.container)/\($0.0)", $0.1) }
        }
        return rows(RackSlotParameter.self) + rows(RackBranchParameter.self) + effects
    }
}
