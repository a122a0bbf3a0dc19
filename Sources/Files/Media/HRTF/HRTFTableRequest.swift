public import Binaural

/// The head whose table for sound objects is requested.
public struct HRTFTableRequest: Sendable, Equatable {
    /// Path of a SOFA file; empty for that of libmysofa.
    public var path: String
    /// Head radius in metres, within ``HRTFDesign/radii``; 0 for the measured head's.
    public var headRadius: Float
    public var equalisation: HRTFEqualisation
    /// Rate of the engine, frames per second.
    public var rate: Double

    public init(path: String, headRadius: Float = 0, equalisation: HRTFEqualisation = .neutral, rate: Double) {
        (self.path, self.headRadius, self.equalisation, self.rate) = (path, headRadius, equalisation, rate)
    }
}
