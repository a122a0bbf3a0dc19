public import Binaural

/// Errors of a method for a turning head, against the exact moving ears.
public struct TurnFigures: Sendable {
    public let microphones: Int
    public let method: InterpolationMethod
    public let scene: String
    /// Speed in degrees per second.
    public let speed: Double
    /// Level error over ERB bands and short frames, dB.
    public let level: RegionStatistics
    /// Level error over short frames in each ERB band, dB.
    public let erb: [ErrorStatistics]
    /// Change of the level error from one frame to the next, root mean square over ERB bands, dB: near a
    /// sector's border, and away from all of them.
    public let modulation: Borders
    /// Energy above 18 kHz, where the stimulus has none, relative to the exact ears' energy, dB.
    public let clicks: Borders
    /// The same figure for the exact ears.
    public let exactClicks: Borders

    /// A figure near sector borders and away from them.
    public struct Borders: Sendable {
        public let near: Double
        /// NaN when the whole turn is near a border.
        public let away: Double
    }
}
