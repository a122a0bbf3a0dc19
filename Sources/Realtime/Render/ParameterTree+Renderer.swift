internal import Binaural
internal import Effects
public import Parameters

extension ParameterTree {
    /// The parameters of a renderer with a number of listeners; methods and initial method are those of the renderer.
    public init(
        listeners: Int, network: Int = 0, trackers: Int = 0, presets: [String] = [], cues: [String] = [], objects: Int = 0,
        firstObjects: Int? = nil, mappings: Int = 0, cueList: Int = 0
    ) {
        self.init(
            listeners: listeners, network: network, trackers: trackers, methods: InterpolationMethod.allCases.map(\.name),
            formerMethods: InterpolationMethod.formerNames, method: InterpolationMethod.standard.name,
            effects: EffectRegistry.standard.names, presets: presets, cues: cues, objects: objects, firstObjects: firstObjects,
            mappings: mappings, cueList: cueList)
    }
}
