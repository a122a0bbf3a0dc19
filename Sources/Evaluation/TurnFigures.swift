public import Binaural

/// How exactly a method makes the ears of a head that turns, against the exact moving ear.
public struct TurnFigures: Sendable {
    public let microphones: Int
    public let method: InterpolationMethod
    public let scene: String
    /// Degrees per second.
    public let speed: Double
    /// Level error over ERB bands and short frames, dB.
    public let level: RegionStatistics
    /// Level error over short frames in each ERB band, dB.
    public let erb: [ErrorStatistics]
    /// How much the level error changes from one frame to the next, root mean square over ERB bands, dB: near a
    /// sector's border, and away from all of them.
    public let modulation: Borders
    /// Energy above 18 kHz, where the stimulus has none, against the exact ears' energy, dB.
    public let clicks: Borders
    /// The same of the exact ears themselves.
    public let exactClicks: Borders

    /// One figure near the borders of sectors and one away from them.
    public struct Borders: Sendable {
        public let near: Double
        /// Not-a-number when the whole turn is near a border.
        public let away: Double
    }
}
