public import Binaural

/// Effect of imperfect microphones on a method.
public struct SensorFigures: Sendable {
    public let microphones: Int
    public let method: InterpolationMethod
    /// Level in each ERB band of the microphones' own noise at the ear, dB relative to the noise of one microphone.
    public let noise: [Double]
    /// The same for a head that is rolled by ``SensorEvaluation/roll``.
    public let rolledNoise: [Double]
    /// Level error over ERB bands with ideal microphones, dB, at the places of the other two measurements.
    public let ideal: RegionStatistics
    /// The same with errors of the microphones' gains.
    public let gains: RegionStatistics
    /// The same with errors of the microphones' places.
    public let positions: RegionStatistics
    /// Level error in each ERB band with errors of the gains, dB.
    public let gainBands: [ErrorStatistics]
    /// Level error in each ERB band with errors of the places, dB.
    public let positionBands: [ErrorStatistics]

    /// Level of the noise at the ear in a range of frequencies, each band with the same weight, dB.
    ///
    /// - Parameter range: Hz.
    public func noise(in range: Range<Double>) -> Double { Self.mean(noise, range) }

    /// The same for the rolled head.
    public func rolledNoise(in range: Range<Double>) -> Double { Self.mean(rolledNoise, range) }

    private static func mean(_ noise: [Double], _ range: Range<Double>) -> Double {
        let bands = FrequencyBands.erb.centres.indices.filter { range.contains(FrequencyBands.erb.centres[$0]) }
        return bands.map { noise[$0] }.reduce(0, +) / Double(bands.count)
    }
}
