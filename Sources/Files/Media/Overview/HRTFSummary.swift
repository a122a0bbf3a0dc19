internal import Binaural

/// Measured responses of a head at a glance, as lists show them.
public struct HRTFSummary: Sendable, Equatable, Codable {
    /// Number of directions, of which there is a response for each ear.
    public let directions: Int
    /// Length of a response, samples.
    public let samples: Int
    /// Samples per second.
    public let rate: Double
    /// The lowest and the highest elevation, degrees, one decimal.
    public let lowest: Double
    public let highest: Double

    /// Reads a whole SOFA file.
    /// - Throws: ``MediaError`` for a file from which no filters can be made.
    public init(path: String) throws(MediaError) { self.init(try SofaFile(path: path).responses) }

    init(_ responses: HeadResponses) {
        (directions, samples, rate) = (responses.count, responses.length, responses.rate)
        lowest = (responses.elevations.min() ?? 0).rounded(decimals: 1)
        highest = (responses.elevations.max() ?? 0).rounded(decimals: 1)
    }
}
