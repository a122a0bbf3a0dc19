public import Binaural

/// Errors of a method for an ear at rest.
public struct StaticFigures: Sendable {
    public let microphones: Int
    public let method: InterpolationMethod
    /// Latency in samples.
    public let latency: Int
    /// Level error over ERB bands, dB.
    public let level: RegionStatistics
    /// Level error in each ERB band, dB.
    public let erb: [ErrorStatistics]
    /// Level error in each third octave, dB.
    public let thirdOctaves: [ErrorStatistics]
    /// Difference to the exact ear in each ERB band, dB below the exact ear.
    public let complexError: [Double]
    /// Lowest frequency in Hz at which that difference exceeds -20 dB; nil when it never does.
    public let firstComplexError: Double?
    /// Error of the interaural time difference in microseconds.
    public let time: ErrorStatistics
    /// Error of the envelopes' interaural time difference from 4 to 12 kHz, in microseconds.
    public let envelopeTime: ErrorStatistics
    /// Error of the interaural level difference over ERB bands, dB.
    public let interauralLevel: ErrorStatistics
}
