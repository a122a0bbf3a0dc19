package import Binaural

/// One of the sounds that a listening test compares: a method, perhaps low-passed as an anchor.
package struct ComparisonCondition: Sendable, Equatable {
    package var method: InterpolationMethod
    /// End of the pass band of an anchor, hertz; nil for no filter.
    package var edge: Double?
    /// Factor that matches the loudness.
    package var gain: Float

    package init(method: InterpolationMethod, edge: Double? = nil, gain: Float = 1) {
        self.method = method
        self.edge = edge
        self.gain = gain
    }
}
