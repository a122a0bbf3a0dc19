internal import CRealtime
internal import Glibc
public import Hub
public import RenderInterface

/// The sources that topics and metrics read from.
public final class TelemetrySources {
    /// All motion-to-sound latencies since the start.
    public var histogram: () -> DurationHistogram = { DurationHistogram(bounds: []) }
    /// Latency of each listener, stage by stage.
    public var latencies: () -> [ListenerLatencyReading] = { [] }
    /// Counts of the renderer now.
    public var engine: () -> EngineFrame = { EngineFrame() }
    /// The connected clients.
    var clients: () -> [ClientReading] = { [] }
    /// The newest pose of each listener.
    let poses = NewestPoses()
    /// The last lines of the log.
    let log = LogTail()
    let hub: Hub

    init(hub: Hub) { self.hub = hub }
}

/// The newest rendered pose of each listener, and its age.
final class NewestPoses {
    private var poses: [PosesTopic.Pose] = []
    /// Times of receipt, CLOCK_MONOTONIC nanoseconds; 0 before the first pose.
    private var received: [UInt64] = []

    func keep(_ listeners: [TelemetryDelta.Listener]) {
        if poses.count != listeners.count {
            poses = .init(repeating: .init(quaternion: .init(1, 0, 0, 0), id: 0, age: -1), count: listeners.count)
            received = .init(repeating: 0, count: listeners.count)
        }
        for (index, listener) in listeners.enumerated() {
            guard let pose = listener.pose else { continue }
            poses[index] = .init(quaternion: pose.quaternion, id: pose.id, age: -1)
            received[index] = pose.id == 0 ? 0 : pose.receiveTime
        }
    }

    /// - Parameter now: CLOCK_MONOTONIC nanoseconds.
    func readings(now: UInt64) -> [PosesTopic.Pose] {
        zip(poses, received).map { pose, time in
            var pose = pose
            if time > 0 { pose.age = Float(Double(now - min(now, time)) / 1e6) }
            return pose
        }
    }

    /// Seconds since the pose of each listener was received; nil before the first pose.
    var ages: [Double?] { readings(now: rt_now()).map { $0.age < 0 ? nil : Double($0.age) / 1000 } }
}

/// The last lines of the log.
final class LogTail {
    /// Lines that are kept, and the most lines of one frame.
    static let most = 256
    /// Bytes of a line that are kept.
    private static let longest = 1024

    private var lines: [LogLine] = []
    /// Number of the newest line; 0 before the first.
    private(set) var last = 0

    func add(_ text: String) {
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        last += 1
        let text = text.utf8.count <= Self.longest ? text : text.prefix(Self.longest / 4) + "…"
        lines.append(LogLine(number: last, time: Double(now.tv_sec) + Double(now.tv_nsec / 1_000_000) / 1000, text: text))
        if lines.count > Self.most { lines.removeFirst() }
    }

    /// The kept lines after the one with this number.
    func after(_ number: Int) -> [LogLine] { lines.filter { $0.number > number } }
}

/// One line of the log.
struct LogLine: Equatable, Encodable {
    /// Rises by one with every line since the start, from 1.
    let number: Int
    /// Seconds since 1970.
    let time: Double
    let text: String
}
