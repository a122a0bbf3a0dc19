/// What somebody's two ears hear of sound from many directions, as it was measured: a head-related transfer function
/// (HRTF) in the time domain.
public struct HeadResponses: Sendable, Equatable {
    /// Samples per second.
    public let rate: Double
    /// Samples of each response.
    public let length: Int
    /// Degrees, positive to the left and upwards; one each per direction.
    public let azimuths: [Double]
    public let elevations: [Double]
    /// `length` samples of every direction, one after the other; of the left ear, of the right ear.
    public let samples: [[Float]]
    /// Samples by which each response is later than it stands there; of the left ear, of the right ear.
    public let delays: [[Double]]

    /// - Precondition: as many of each as there are directions.
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

    /// How many directions there are.
    public var count: Int { azimuths.count }
}
