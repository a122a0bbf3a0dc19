public import Binaural

/// The head whose filters for an array are requested.
public struct HRTFRequest: Sendable, Equatable {
    /// Path of a SOFA file; empty for that of libmysofa.
    public var path: String
    /// Head radius in metres, within ``HRTFDesign/radii``; 0 for the measured head's.
    public var headRadius: Float
    public var equalisation: HRTFEqualisation
    public var layout: HRTFLayout
    /// Rate of the engine, frames per second.
    public var rate: Double

    public init(
        path: String, headRadius: Float = 0, equalisation: HRTFEqualisation = .neutral, layout: HRTFLayout, rate: Double
    ) {
        (self.path, self.headRadius, self.equalisation) = (path, headRadius, equalisation)
        (self.layout, self.rate) = (layout, rate)
    }

    /// - Throws: ``MediaError`` when the radius is neither 0, for the measured head's, nor within ``HRTFDesign/radii``.
    public static func check(headRadius: Float) throws(MediaError) {
        guard headRadius == 0 || HRTFDesign.radii.contains(headRadius) else {
            throw MediaError(
                "The head radius \(headRadius) m is out of range: give \(HRTFDesign.radii.lowerBound) to "
                    + "\(HRTFDesign.radii.upperBound) m, or 0 for that of the measured head.")
        }
    }

    /// Version of the filter design; raised whenever the same request would give different filters.
    private static let version = 2

    /// The name under which the filters of this request are cached.
    func key(_ file: ContentHash) -> ContentHash {
        var key = file
        // The word "personal" keeps the filters valid that earlier releases have cached.
        key.add(
            "personal \(Self.version) rate \(rate) radius \(layout.array.radius) head \(headRadius) "
                + "equalisation \(equalisation.name) "
                + "channels \(layout.channels) azimuths \(layout.azimuths)")
        return key
    }
}

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
