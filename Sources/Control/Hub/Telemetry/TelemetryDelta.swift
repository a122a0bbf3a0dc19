public import RenderInterface

/// Reports of the renderer since the last collection.
public struct TelemetryDelta: Sendable {
    /// Levels at one listener's ears, and the pose rendered last; nil when nothing was reported.
    public struct Listener: Sendable {
        public var levels: Levels
        /// Largest gain reduction of the protecting limiter, decibels.
        public var reduction: Float
        public var pose: HeadPose?

        public init(levels: Levels = .init(), reduction: Float = 0, pose: HeadPose? = nil) {
            self.levels = levels
            self.reduction = reduction
            self.pose = pose
        }
    }

    /// Meter reading of one effect.
    public struct Slot: Sendable, Equatable {
        /// Index of the rack in the order of `RackPosition`.
        public let rack: Int
        /// Slot number from 1, as in the address.
        public let number: Int
        /// Largest absolute output value, linear, and largest gain reduction in decibels.
        public private(set) var level: Float
        public private(set) var reduction: Float

        public init(rack: Int, number: Int, level: Float, reduction: Float) {
            self.rack = rack
            self.number = number
            self.level = level
            self.reduction = reduction
        }

        /// Combines this reading with an earlier one of the same slot.
        public mutating func add(_ earlier: Slot) {
            level = max(level, earlier.level)
            reduction = max(reduction, earlier.reduction)
        }
    }

    public var engine: EngineFrame
    public var microphones: Levels
    public var listeners: [Listener]
    /// Timestamps of every pose that was rendered.
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

/// Peak and RMS levels of several channels over a period of time; consecutive ones can be combined.
public struct Levels: Sendable, Equatable {
    /// Largest absolute values, linear.
    public private(set) var peak: [Float] = []
    /// Sums of squares.
    private var energy: [Float] = []
    private var frames: Int32 = 0

    public init() {}

    /// - Parameters:
    ///   - energy: sums of squares over `frames` frames.
    public init(peak: [Float], energy: [Float], frames: Int32) {
        self.peak = peak
        self.energy = energy
        self.frames = frames
    }

    public var isEmpty: Bool { frames == 0 }

    /// Root of the mean square, linear.
    public var rms: [Float] { energy.map { frames > 0 ? ($0 / Float(frames)).squareRoot() : 0 } }

    /// Adds the levels of the period that follows. A different number of channels means another recording and replaces them.
    public mutating func add(_ next: Levels) {
        guard !next.isEmpty else { return }
        guard peak.count == next.peak.count else {
            self = next
            return
        }
        for i in peak.indices {
            peak[i] = max(peak[i], next.peak[i])
            energy[i] += next.energy[i]
        }
        frames += next.frames
    }
}
