internal import Hub

/// What one frame says, of one topic, about the time since the frame before it.
enum TelemetryContent: Equatable {
    case meters(MeterReading)
    case engine(EngineReading)
    case latency(LatencyReading)
    case poses([PoseReading])
    case trackers([TrackerReading])
    case transport(TransportReading)
    case clients([ClientReading])
    case log([LogLine])

    /// The same content about a longer time: what a frame that was never sent said is put in front.
    func following(_ earlier: TelemetryContent) -> TelemetryContent {
        switch (self, earlier) {
        case (.meters(let new), .meters(var whole)):
            whole.add(new)
            return .meters(whole)
        case (.engine(let new), .engine(var whole)):
            whole.add(new)
            return .engine(whole)
        case (.log(let new), .log(let old)): return .log(Array((old + new).suffix(LogTail.most)))
        default: return self
        }
    }
}

struct MeterReading: Equatable {
    var microphones = Levels()
    var listeners: [Levels] = []
    /// The effects that there are.
    var slots: [TelemetryDelta.Slot] = []

    var isEmpty: Bool { microphones.isEmpty && listeners.allSatisfy(\.isEmpty) }

    mutating func add(_ next: MeterReading) {
        microphones.add(next.microphones)
        if listeners.count != next.listeners.count { listeners = .init(repeating: Levels(), count: next.listeners.count) }
        for i in listeners.indices { listeners[i].add(next.listeners[i]) }
        let earlier = slots
        slots = next.slots
        for i in slots.indices {
            if let before = earlier.first(where: { $0.rack == slots[i].rack && $0.number == slots[i].number }) { slots[i].add(before) }
        }
    }
}

struct EngineReading: Equatable {
    /// Counted from the start.
    var blocks: Int64 = 0
    var samples: Int64 = 0
    var xruns: Int64 = 0
    var dropouts: Int64 = 0
    /// Nanoseconds of rendering, and the blocks it took, since the last frame.
    var busy: Int64 = 0
    var rendered: Int64 = 0
    /// Nanoseconds of the slowest block.
    var worst: Int64 = 0
    /// Nanoseconds that a block may take.
    var period = 1.0

    /// Mean share of a period that rendering took.
    var load: Double { rendered > 0 ? Double(busy) / (Double(rendered) * period) : 0 }
    var worstLoad: Double { Double(worst) / period }

    mutating func add(_ next: EngineReading) {
        let (busy, rendered, worst) = (busy + next.busy, rendered + next.rendered, max(worst, next.worst))
        self = next
        (self.busy, self.rendered, self.worst) = (busy, rendered, worst)
    }
}

struct LatencyReading: Equatable {
    /// p50, p95, p99, max in milliseconds.
    var motionToSound: [Float]
    var waiting: [Float]
    /// Poses used per second.
    var poses: Float
    /// Since the start.
    var histogram: DurationHistogram
    var listeners: [ListenerLatencyReading] = []
}

struct PoseReading: Equatable {
    /// w x y z.
    var quaternion: SIMD4<Float>
    /// 0 is the pose nobody sent.
    var id: UInt64
    /// Milliseconds since the kernel received it; -1 for the pose nobody sent.
    var age: Float
}

struct TrackerReading: Equatable, Encodable {
    /// From 1, as in its address.
    var number: Int
    var source: String
    /// From 1.
    var listener: Int
    /// One of `TrackerParameter.states`.
    var state: String
    var inCharge: Bool
    /// Poses a second.
    var rate: Float
    /// Milliseconds since its newest pose.
    var age: Float
    /// The head by this tracker alone, degrees.
    var yaw: Float
    var pitch: Float
    var roll: Float
    /// Degrees that drift correction has added.
    var correction: Float
    /// In words; empty for none.
    var problem: String
}

struct TransportReading: Equatable, Encodable {
    var state: String
    var loop: Bool
    /// Seconds.
    var position: Float
    var duration: Float
    var recording: String
}

struct LogLine: Equatable, Encodable {
    /// Rises by one with every line since the start, from 1.
    var number: Int
    /// Seconds since 1970.
    var time: Double
    var text: String
}
