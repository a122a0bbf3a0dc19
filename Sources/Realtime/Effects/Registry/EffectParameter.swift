public import Specification

/// Declaration of one numeric parameter of an effect.
///
/// The name in addresses and files is that of the stored property, in lower case with hyphens.
public struct EffectParameter<Settings: BitwiseCopyable>: Sendable {
    /// Position of the stored property among the others.
    let index: Int
    let spec: ParameterSpec
    /// Former name, kept as an alias for one release.
    let former: String?

    /// True when another value requires a new instance of the effect.
    let rebuilds: Bool

    public init(_ property: KeyPath<Settings, Float>, _ spec: ParameterSpec, former: String? = nil, rebuilds: Bool = false) {
        guard let offset = MemoryLayout<Settings>.offset(of: property) else {
            preconditionFailure("the parameter \(spec.title) is not a stored property of its effect's settings")
        }
        index = offset / MemoryLayout<Float>.stride
        self.spec = spec
        self.former = former
        self.rebuilds = rebuilds
    }
}
