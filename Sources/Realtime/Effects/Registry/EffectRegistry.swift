/// The effects of the program. A new effect needs its folder and one line here.
public struct EffectRegistry: Sendable {
    public static let standard = EffectRegistry([
        .delay,
        .reverb,
        .convolution,
        .flanger,
        .chorus,
        .tremolo,
        .phaser,
        .vibrato,
        .pitchShift,
        .compressor,
        .overdrive,
        .equaliser,
        .gate,
        .limiter,
    ])

    /// Effects in the order of the numbers by which choices refer to them.
    public let kinds: [EffectKind]

    public init(_ kinds: [EffectKind]) {
        self.kinds = kinds
        precondition(Set(kinds.map(\.name)).count == kinds.count, "two effects have the same name")
    }

    public var names: [String] { kinds.map(\.name) }

    /// - Returns: nil when there is no such effect.
    public func kind(named name: String) -> EffectKind? { kinds.first { $0.name == name } }

    /// - Returns: nil when there is no such number.
    public func kind(at number: Int) -> EffectKind? { kinds.indices.contains(number) ? kinds[number] : nil }

    /// - Returns: nil for an effect that is not in this registry.
    public func number(of kind: EffectKind) -> Int? { kinds.firstIndex(of: kind) }
}
