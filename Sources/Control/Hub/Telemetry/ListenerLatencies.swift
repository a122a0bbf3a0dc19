public import Parameters
internal import Pose
internal import RenderInterface

/// Latency of one listener's poses from the sender to the sound: every stage over the last seconds, and arrival statistics.
struct ListenerLatencies {
    private enum Stage: Int, CaseIterable {
        case motionToSound, transmission, interval, waiting, rendering, output

        var parameter: ListenerLatency {
            switch self {
            case .motionToSound: .motionToSound
            case .transmission: .transmission
            case .interval: .interval
            case .waiting: .waiting
            case .rendering: .rendering
            case .output: .output
            }
        }
    }

    private let arrivals: [PoseArrivals]
    private var stages = [SlidingHistogram](repeating: .init(), count: Stage.allCases.count)
    /// Number of used poses that had been received by the last publication, and of those received later.
    private var used = (settled: 0, recent: 0)
    private var unused = 0
    private var isQuiet = true
    private var before = (count: 0, time: UInt64(0))
    /// Receive time of the newest pose of the last publication, CLOCK_MONOTONIC nanoseconds.
    private var newest: UInt64 = 0
    /// Values published last.
    private(set) var reading = ListenerLatencyReading()

    /// - Parameter arrivals: arrivals at each receiver of this listener.
    init(_ arrivals: [PoseArrivals]) { self.arrivals = arrivals }

    mutating func add(_ stamp: LatencyStamp) {
        func add(_ stage: Stage, _ from: UInt64, _ to: UInt64) {
            stages[stage.rawValue].add(Int64(bitPattern: to &- from), at: stamp.blockTime)
        }
        if stamp.receiveTime <= newest { used.settled += 1 } else { used.recent += 1 }
        isQuiet = false
        let taken = stamp.senderTime != 0 ? stamp.senderTime : stamp.receiveTime
        add(.motionToSound, taken, stamp.outputTime)
        if stamp.senderTime != 0 { add(.transmission, stamp.senderTime, stamp.receiveTime) }
        if stamp.interval != 0 { add(.interval, 0, UInt64(stamp.interval)) }
        add(.waiting, stamp.receiveTime, stamp.blockTime)
        add(.rendering, stamp.blockTime, stamp.renderedTime)
        add(.output, stamp.renderedTime, stamp.outputTime)
    }

    /// - Parameter now: CLOCK_MONOTONIC nanoseconds.
    mutating func publish(_ hub: Hub, listener: Int, now: UInt64) {
        let received = arrivals.reduce(0) { $0 + $1.count }
        let latestTime = arrivals.reduce(0) { max($0, $1.lastTime) }
        // Listeners without poses cost nothing.
        guard !isQuiet || received != before.count else { return }
        var new = ListenerLatencyReading()
        var left = 0
        for stage in Stage.allCases {
            let sum = stages[stage.rawValue].sum(at: now)
            left += sum.count
            let values = sum.summary.map { ($0 * 1000).rounded() / 1000 }
            new.stages[stage.parameter] = values
            hub.publish(hub.tree.index(stage.parameter, listener), .vector(values))
            guard stage == .motionToSound else { continue }
            new.histogram = sum.counts(bounds: ListenerLatency.bounds)
            hub.publish(hub.tree.index(ListenerLatency.histogram, listener), .vector(new.histogram))
        }
        let seconds = before.time == 0 ? 0 : Double(now &- before.time) / 1e9
        new.received = received
        new.rate = seconds > 0 ? (Float(Double(received - before.count) / seconds) * 10).rounded() / 10 : 0
        // The tracker that sent last.
        let latest = arrivals.max { $0.lastTime < $1.lastTime }
        new.jitter = Float(((latest?.jitterMilliseconds ?? 0) * 1000).rounded() / 1000)
        new.lost = arrivals.reduce(0) { $0 + $1.lost }
        // Poses of the last publication that are still unused will never be used; later ones may be on their way.
        unused = max(unused, before.count - used.settled)
        new.unused = unused
        let numbers: [(ListenerLatency, Float)] = [
            (.rate, new.rate), (.jitter, new.jitter), (.lost, Float(new.lost)), (.unused, Float(new.unused)),
        ]
        for (parameter, value) in numbers { hub.publish(hub.tree.index(parameter, listener), .number(value)) }
        (before, newest) = ((received, now), latestTime)
        used = (used.settled + used.recent, 0)
        isQuiet = left == 0
        reading = new
    }
}

/// One listener's latencies as published last.
public struct ListenerLatencyReading: Sendable, Equatable {
    /// 50th, 95th and 99th percentile and maximum in milliseconds, by stage.
    public var stages: [ListenerLatency: [Float]] = [:]
    /// Number of poses between the bounds of ``ListenerLatency/bounds``, the last one above them.
    public var histogram: [Float] = []
    /// Poses received since the start, and currently per second.
    public var received = 0
    public var rate: Float = 0
    /// Milliseconds.
    public var jitter: Float = 0
    /// Poses lost on the network, and poses received but not rendered, since the start.
    public var lost = 0
    public var unused = 0

    public init() {}
}
