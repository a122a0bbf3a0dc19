/// One row of the benchmark of effects: an effect at certain settings.
public struct EffectBenchmark<Settings: EffectSettings>: Sendable {
    let name: String
    let peer: Double?
    let settings: @Sendable (_ block: Int) -> Settings
    let response: (@Sendable () -> ResponseSpectra)?

    /// - Parameters:
    ///   - peer: speed of the fastest comparable program on a machine of this class, seconds of sound per second of one processor core; nil
    ///     when none was measured.
    ///   - change: applied to the initial settings before each block; blocks are counted from 0.
    public init(
        _ name: String, peer: Double? = nil,
        _ change: @escaping @Sendable (_ settings: inout Settings, _ block: Int) -> Void = { _, _ in }
    ) {
        self.name = name
        self.peer = peer
        response = nil
        settings = { block in
            var settings = Settings()
            change(&settings, block)
            return settings
        }
    }

    /// - Parameter response: impulse response at 48 kHz.
    public init(_ name: String, response: @escaping @Sendable () -> ResponseSpectra) {
        self.name = name
        self.response = response
        peer = nil
        settings = { _ in Settings() }
    }
}
