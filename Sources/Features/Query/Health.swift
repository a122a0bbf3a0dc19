/// State of the engine, for watchdogs.
public struct Health: Encodable, Sendable {
    /// Whether the sound is plausible.
    public struct Sound: Encodable, Sendable {
        /// True when no listener is silent without a reason and nothing was cleared within the last seconds.
        public var plausible = true
        /// Listeners, counted from 1, that have been silent for a second although sound plays and their gain is up.
        public var silentListeners: [Int] = []
        /// Number of times that sound left its range and the state that produced it was cleared: since the start, and within the last
        /// `recentSeconds`.
        public var resets = 0
        public var recentResets = 0
        public var recentSeconds = 10
        /// Number of `resets` because of infinite samples or NaN.
        public var nonFinite = 0
        /// True after three seconds in which rendering took longer than the sound lasted, until it is fast enough again.
        public var overloaded = false
        /// Latest notice of a reset; empty without any.
        public var latest = ""

        public init() {}
    }

    public var status: String
    /// Blocks rendered since the start.
    public var blocks: Int64
    public var xruns: Int64
    public var sound: Sound

    /// - Parameter isAlive: whether a block has been rendered within the last second.
    public init(isAlive: Bool, blocks: Int64, xruns: Int64, sound: Sound = Sound()) {
        status = isAlive ? "ok" : "no block has been rendered for a second"
        self.blocks = blocks
        self.xruns = xruns
        self.sound = sound
    }

    /// 503 makes supervisors restart the program. Implausible sound does not lead to it, since the state that produced it is cleared
    /// without a restart.
    var httpStatus: Int { status == "ok" ? 200 : 503 }
}
