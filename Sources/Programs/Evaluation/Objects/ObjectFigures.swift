public import Binaural

/// Errors of sound objects that are encoded onto the microphone array and decoded by a method.
public struct ObjectFigures: Sendable {
    /// Errors against one reference.
    public struct Errors: Sendable {
        /// Level error over ERB bands, dB.
        public let level: RegionStatistics
        /// Error of the interaural time difference, microseconds.
        public let time: ErrorStatistics
    }

    public let microphones: Int
    public let method: InterpolationMethod
    /// The array against objects that are rendered for the listener.
    public let direct: Errors
    /// The array against the exact sphere.
    public let exact: Errors
    /// Objects that are rendered for the listener against the exact sphere.
    public let directExact: Errors
}
