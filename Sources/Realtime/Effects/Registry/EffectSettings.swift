internal import Specification

/// Numeric parameters of an effect, all in natural units: only `Float`s, one stored property for each parameter.
///
/// A toggle is on above 0.5; a choice is its index. Ranges and initial values are declared in ``parameters`` and nowhere
/// else.
public protocol EffectSettings: BitwiseCopyable, Sendable, Equatable {
    /// One declaration for each stored property, in any order.
    static var parameters: [EffectParameter<Self>] { get }

    /// These settings at a tempo in beats per minute, for effects that can follow it.
    func following(tempo: Float) -> Self

    /// Milliseconds between repetitions, for effects that repeat the sound; nil for all others.
    var interval: Float? { get }
}

extension EffectSettings {
    /// Number of values.
    public static var count: Int { MemoryLayout<Self>.size / MemoryLayout<Float>.size }

    /// The initial values of all parameters.
    public init() { self.init(row: Self.initial) }

    /// - Parameter row: one number for each property, in the order in which they are stored.
    public init(row: [Float]) {
        precondition(row.count == Self.count, "an effect takes one number for each of its settings")
        self = row.withUnsafeBytes { $0.loadUnaligned(as: Self.self) }
    }

    /// The values in the order in which they are stored.
    public var row: [Float] { withUnsafeBytes(of: self) { Array($0.bindMemory(to: Float.self)) } }

    public func following(tempo: Float) -> Self { self }

    public var interval: Float? { nil }

    /// The initial values in the order in which they are stored.
    static var initial: [Float] {
        var row = [Float](repeating: 0, count: count)
        for parameter in parameters { row[parameter.index] = parameter.spec.initial.numbers[0] }
        return row
    }

    /// Names of the stored properties in their order; those of a nested value begin with its own name.
    static func names(of settings: Any) -> [String] {
        Mirror(reflecting: settings).children.flatMap { child in
            let label = child.label ?? ""
            if child.value is Float { return [label] }
            return names(of: child.value).map { label + $0.prefix(1).uppercased() + $0.dropFirst() }
        }
    }
}
