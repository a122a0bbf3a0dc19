public import Binaural

/// How exactly a method makes an ear that holds still.
public struct StaticFigures: Sendable {
    public let microphones: Int
    public let method: InterpolationMethod
    /// Samples.
    public let latency: Int
    /// Level error over ERB bands, dB.
    public let level: RegionStatistics
    /// Level error in each ERB band, dB.
    public let erb: [ErrorStatistics]
    /// Level error in each third octave, dB.
    public let thirdOctaves: [ErrorStatistics]
    /// Of the difference to the exact ear in each ERB band, dB below the exact ear.
    public let complexError: [Double]
    /// Hz; where that difference is first above -20 dB. Nil when it never is.
    public let firstComplexError: Double?
    /// Interaural time difference, microseconds.
    public let time: ErrorStatistics
    /// Interaural level difference over ERB bands, dB.
    public let interauralLevel: ErrorStatistics
}
