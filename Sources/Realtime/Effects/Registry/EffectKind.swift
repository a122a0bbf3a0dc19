public import CRealtime
public import Specification

/// Declaration of one effect: its parameters, how to make one and how to run it.
///
/// Each effect declares its kind in its own folder as a static property; ``EffectRegistry`` lists them.
public final class EffectKind: Sendable {
    /// One parameter of an effect.
    public struct Parameter: Sendable {
        /// Name in files and addresses.
        public let name: String
        /// Former name in files and addresses, kept as an alias for one release; nil unless the parameter was renamed.
        public let former: String?
        public let spec: ParameterSpec
        /// True when another value requires a new instance of the effect, because its latency or its memory depends on it.
        public let rebuilds: Bool

        /// Declaration of the address with the former name.
        public var alias: (name: String, spec: ParameterSpec)? {
            guard let former else { return nil }
            var alias = spec
            alias.access = .write
            alias.summary = "Former address of \(name), an alias for this release."
            return (former, alias)
        }
    }

    /// One row of the benchmark of effects.
    public struct Benchmark: Sendable {
        public let name: String
        /// Speed of the fastest comparable program: seconds of sound per second of one processor core.
        public let peer: Double?
        /// Values of each block, counted from 0.
        public let values: @Sendable (_ block: Int) -> [Float]
        /// Impulse response at 48 kHz, if the effect has one.
        public let response: (@Sendable () -> ResponseSpectra)?
    }

    /// Name in files and addresses.
    public let name: String
    /// One sentence about the effect.
    public let summary: String
    /// Parameters in the order in which their values are stored: numbers first, then files.
    public let parameters: [Parameter]
    /// Number of parameters that are numbers.
    public let numbers: Int
    /// Initial values of the numbers.
    public let initial: [Float]
    /// True when the effect reports its gain reduction.
    public let measuresReduction: Bool
    public let wetDry: WetDry
    public let benchmarks: [Benchmark]

    let call: rt_function
    let make:
        @Sendable (_ rate: Float, _ largestBlock: Int, _ values: [Float], _ response: ResponseSpectra?) -> (
            UnsafeMutableRawPointer, latency: Int
        )
    let free: @Sendable (UnsafeMutableRawPointer) -> Void
    private let intervalOf: @Sendable (_ values: [Float], _ tempo: Float) -> Float?

    /// - Parameters:
    ///   - name: in lower case with hyphens.
    ///   - wetDry: the way in which a slot mixes the effect with the dry sound.
    ///   - call: passes its argument on to ``EffectCall/run(_:_:)`` with the effect's type; it captures nothing.
    public init<Kind: Effect & ~Copyable>(
        _: Kind.Type, _ name: String, _ summary: String, files: [EffectFile] = [],
        wetDry: WetDry = .linear(1), benchmarks: [EffectBenchmark<Kind.Settings>], call: @escaping rt_function
    ) {
        self.name = name
        self.summary = summary
        self.call = call
        initial = Kind.Settings.initial
        numbers = Kind.Settings.count
        parameters = Self.parameters(Kind.Settings.self, files)
        measuresReduction = Kind.measuresReduction
        self.wetDry = wetDry
        self.benchmarks = benchmarks.map { row in
            Benchmark(name: row.name, peer: row.peer, values: { row.settings($0).row }, response: row.response)
        }
        make = { rate, largestBlock, values, response in
            let place = UnsafeMutablePointer<Kind>.allocate(capacity: 1)
            place.initialize(
                to: Kind(rate: rate, largestBlock: largestBlock, settings: Kind.Settings(row: values), response: response))
            return (UnsafeMutableRawPointer(place), place.pointee.latency)
        }
        free = { effect in
            let place = effect.assumingMemoryBound(to: Kind.self)
            place.deinitialize(count: 1)
            place.deallocate()
        }
        intervalOf = { values, tempo in Kind.Settings(row: values).following(tempo: tempo).interval }
    }

    private static func parameters<Settings: EffectSettings>(_: Settings.Type, _ files: [EffectFile]) -> [Parameter] {
        let names = Settings.names(of: Settings())
        let declared = Settings.parameters.sorted { $0.index < $1.index }
        precondition(declared.map(\.index) == Array(names.indices), "every setting of an effect is declared once")
        let all =
            declared.map { Parameter(name: names[$0.index].hyphenated, former: $0.former, spec: $0.spec, rebuilds: $0.rebuilds) }
            + files.map { Parameter(name: $0.name, former: nil, spec: $0.spec, rebuilds: true) }
        return all.enumerated().map { place, parameter in
            var spec = parameter.spec
            spec.place = place
            return Parameter(name: parameter.name, former: parameter.former, spec: spec, rebuilds: parameter.rebuilds)
        }
    }

    /// Address of the container; `{n}` stands for the slot of a rack.
    public var container: String { "/slot/{n}/\(name)" }

    /// True when the effect reads a file.
    public var hasFile: Bool { parameters.count > numbers }

    /// True when the effect repeats the sound after an interval.
    public var hasInterval: Bool { interval(initial, tempo: 120) != nil }

    /// Milliseconds between repetitions; nil for effects that do not repeat the sound.
    ///
    /// - Parameters:
    ///   - values: one number for each numeric parameter.
    ///   - tempo: beats per minute.
    public func interval(_ values: [Float], tempo: Float) -> Float? { intervalOf(values, tempo) }
}

extension EffectKind: Hashable, CustomStringConvertible {
    public static func == (a: EffectKind, b: EffectKind) -> Bool { a === b }

    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }

    public var description: String { name }
}

extension String {
    /// The text in lower case, with a hyphen before each former capital letter.
    fileprivate var hyphenated: String {
        reduce(into: "") { $0 += $1.isUppercase ? "-" + $1.lowercased() : String($1) }
    }
}
