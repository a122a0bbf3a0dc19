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

    /// What one effect let out and held back.
    public struct Slot: Sendable, Equatable {
        /// Its rack, in the order of `RackPosition`.
        public let rack: Int
        /// From 1, as in its address.
        public let number: Int
        /// Largest absolute value, linear, and largest gain reduction, decibels.
        public private(set) var level: Float
        public private(set) var reduction: Float

        public init(rack: Int, number: Int, level: Float, reduction: Float) {
            self.rack = rack
            self.number = number
            self.level = level
            self.reduction = reduction
        }

        /// Puts what the same slot did before to it.
        public mutating func add(_ earlier: Slot) {
            level = max(level, earlier.level)
            reduction = max(reduction, earlier.reduction)
        }
    }

    public var engine: EngineFrame
    public var microphones: Levels
    public var listeners: [Listener]
    /// The way of every pose that was used.
    public var stamps: [LatencyStamp]
    public var slots: [Slot]

    public init(
        engine: EngineFrame, microphones: Levels, listeners: [Listener], stamps: [LatencyStamp] = [], slots: [Slot] = []
    ) {
        self.engine = engine
        self.microphones = microphones
        self.listeners = listeners
        self.stamps = stamps
        self.slots = slots
    }
}
