public import Binaural

/// Which ears somebody wants to hear an array through.
public struct PersonalOrder: Sendable, Equatable {
    /// Of a SOFA file; empty for the one that libmysofa brings along.
    public var path: String
    /// Metres, of ``PersonalDesign/radii``; 0 for that of the head in the file.
    public var headRadius: Float
    public var layout: PersonalLayout
    /// Of the engine, frames per second.
    public var rate: Double

    public init(path: String, headRadius: Float = 0, layout: PersonalLayout, rate: Double) {
        (self.path, self.headRadius, self.layout, self.rate) = (path, headRadius, layout, rate)
    }

    /// - Throws: ``MediaError`` when no head has this radius; 0 stands for the measured head's.
    public static func check(headRadius: Float) throws(MediaError) {
        guard headRadius == 0 || PersonalDesign.radii.contains(headRadius) else {
            throw MediaError(
                "A head's radius of \(headRadius) m cannot be: it is \(PersonalDesign.radii.lowerBound) to "
                    + "\(PersonalDesign.radii.upperBound) m, or 0 for that of the measured head.")
        }
    }

    /// Rises whenever the same order would come to other filters.
    private static let version = 1

    /// What is made of a file by this order has this name.
    func key(_ file: ContentHash) -> ContentHash {
        var key = file
        key.add(
            "personal \(Self.version) rate \(rate) radius \(layout.array.radius) head \(headRadius) "
                + "channels \(layout.channels) azimuths \(layout.azimuths)")
        return key
    }
}
