/// Measured responses of both ears to sound from many directions: a head-related transfer function (HRTF) in the time
/// domain.
public struct HeadResponses: Sendable, Equatable {
    /// Samples per second.
    public let rate: Double
    /// Length of each response, samples.
    public let length: Int
    /// Azimuth and elevation of each direction, degrees, positive to the left and upwards.
    public let azimuths: [Double]
    public let elevations: [Double]
    /// `length` samples for each direction in turn; for the left ear, and for the right ear.
    public let samples: [[Float]]
    /// Additional delay of each response, samples; for the left ear, and for the right ear.
    public let delays: [[Double]]

    /// - Precondition: every array has one entry per direction.
    public init(
        rate: Double, length: Int, azimuths: [Double], elevations: [Double], left: [Float], right: [Float],
        delays: [[Double]]? = nil
    ) {
        precondition(
            elevations.count == azimuths.count && left.count == azimuths.count * length && right.count == left.count,
            "every direction has its responses")
        (self.rate, self.length, self.azimuths, self.elevations) = (rate, length, azimuths, elevations)
        samples = [left, right]
        let none = [Double](repeating: 0, count: azimuths.count)
        self.delays = delays ?? [none, none]
    }

    /// Number of directions.
    public var count: Int { azimuths.count }
}
