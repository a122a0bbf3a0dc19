/// Every effect there is; the case name, in lower case with hyphens, is its name everywhere.
public enum EffectKind: Int, CaseIterable, Sendable {
    case delay, reverb, convolution, flanger, chorus, tremolo, phaser, vibrato,
        pitchShift, compressor, overdrive, equaliser, gate, limiter

    /// One parameter of an effect.
    public struct Parameter: Sendable {
        /// As in files and addresses.
        public let name: String
        public let spec: ParameterSpec
    }

    public init?(name: String) {
        guard let kind = Self.allCases.first(where: { $0.name == name }) else { return nil }
        self = kind
    }

    public var name: String { String(container.split(separator: "/").last!) }

    /// Address of the container; `{n}` stands for the slot of a rack.
    public var container: String { group.container }

    /// What it does, in a sentence.
    public var summary: String { group.summary }

    /// Its parameters in the order in which its settings are stored: numbers first, then texts.
    public var parameters: [Parameter] { Self.parameters(of: group) }

    /// How many of them are numbers.
    public var numbers: Int { parameters.count { $0.spec.isScalar } }

    /// What its numbers begin with.
    public var initial: [Float] { parameters.filter { $0.spec.isScalar }.flatMap(\.spec.initial.numbers) }

    private static func parameters<Group: ParameterGroup>(of _: Group.Type) -> [Parameter] {
        Group.allCases.map { parameter in
            var spec = parameter.spec
            spec.place = parameter.rawValue
            return Parameter(name: parameter.leaf, spec: spec)
        }
    }

    /// The group that declares its parameters.
    public var group: any ParameterGroup.Type {
        switch self {
        case .delay: DelayParameter.self
        case .reverb: ReverbParameter.self
        case .convolution: ConvolutionParameter.self
        case .flanger: FlangerParameter.self
        case .chorus: ChorusParameter.self
        case .tremolo: TremoloParameter.self
        case .phaser: PhaserParameter.self
        case .vibrato: VibratoParameter.self
        case .pitchShift: PitchShiftParameter.self
        case .compressor: CompressorParameter.self
        case .overdrive: OverdriveParameter.self
        case .equaliser: EqualiserParameter.self
        case .gate: GateParameter.self
        case .limiter: LimiterParameter.self
        }
    }
}
