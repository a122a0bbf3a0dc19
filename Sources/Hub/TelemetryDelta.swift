public import Crossing

/// What the renderer has reported since the last time somebody looked.
public struct TelemetryDelta: Sendable {
    /// What one listener heard, and the pose that was rendered last; nil when nothing was reported.
    public struct Listener: Sendable {
        public var levels: Levels
        public var pose: HeadPose?

        public init(levels: Levels = .init(), pose: HeadPose? = nil) {
            self.levels = levels
            self.pose = pose
        }
    }

    public var engine: EngineFrame
    public var microphones: Levels
    public var listeners: [Listener]
    /// The way of every pose that was used.
    public var stamps: [LatencyStamp]

    public init(engine: EngineFrame, microphones: Levels, listeners: [Listener], stamps: [LatencyStamp] = []) {
        self.engine = engine
        self.microphones = microphones
        self.listeners = listeners
        self.stamps = stamps
    }
}
