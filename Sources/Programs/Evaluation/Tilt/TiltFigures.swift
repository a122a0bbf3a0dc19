public import Binaural

/// Errors of a method for a rolled and pitched head, of sources in the plane of the microphones.
public struct TiltFigures: Sendable {
    public let microphones: Int
    public let method: InterpolationMethod
    public let tilt: HeadTilt
    /// Error of the interaural time difference of sources all around, microseconds.
    public let time: ErrorStatistics
    /// Interaural time difference of a source at 90 degrees, microseconds: rendered, and at the exact ears.
    public let side: (rendered: Double, exact: Double)
    /// Level error over ERB bands, dB.
    public let level: RegionStatistics
}
