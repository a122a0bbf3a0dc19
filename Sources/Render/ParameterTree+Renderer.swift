internal import Binaural
public import Parameters

extension ParameterTree {
    /// The parameters of a renderer with so many listeners: its methods, and the one that listeners begin with.
    public init(listeners: Int, trackers: Int = 0, presets: [String] = [], cues: [String] = [], objects: Int = 0) {
        self.init(
            listeners: listeners, trackers: trackers, methods: InterpolationMethod.allCases.map(\.name),
            method: InterpolationMethod.standard.name, presets: presets, cues: cues, objects: objects)
    }
}
