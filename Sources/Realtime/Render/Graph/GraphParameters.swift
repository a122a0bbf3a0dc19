internal import Crossing
internal import Parameters
internal import RenderInterface

/// The parameters that concern the whole renderer.
struct GraphParameters: ~Copyable, Sendable {
    private let reader: ParameterReader
    private let stateIndex: Int
    private let crossoverIndex: Int
    private let ceilingIndex: Int
    private let tempoIndex: Int

    init(_ store: ParameterStore) {
        reader = store.makeReader()
        stateIndex = store.tree.index(TransportParameter.state)
        crossoverIndex = store.tree.index(ArraySetting.crossover)
        ceilingIndex = store.tree.index(ProtectionParameter.ceiling)
        tempoIndex = store.tree.index(MetronomeParameter.tempo)
    }

    /// State of the transport, a constant of `TransportParameter`.
    var state: Int { @_noLocks @_noAllocation get { Int(clamping: reader.target(stateIndex)) } }
    /// Hertz.
    var crossover: Float { @_noLocks @_noAllocation get { reader.target(crossoverIndex) } }
    /// Ceiling of the protecting limiters, dBFS.
    var ceiling: Float { @_noLocks @_noAllocation get { reader.target(ceilingIndex) } }
    /// Beats per minute.
    var tempo: Float { @_noLocks @_noAllocation get { reader.target(tempoIndex) } }
}
