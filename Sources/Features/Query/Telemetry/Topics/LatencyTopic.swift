internal import Hub
internal import Parameters

/// `latency`: motion-to-sound latency, in total and stage by stage for each listener.
final class LatencyTopic: StateTopic {
    let name = "latency"
    let code: UInt8? = 3
    let fastest = 2

    private static let stages: [ListenerLatency] = [.motionToSound, .transmission, .interval, .waiting, .rendering, .output]
    private let sources: TelemetrySources

    init(_ sources: TelemetrySources) { self.sources = sources }

    var state: State? {
        let hub = sources.hub
        return State(
            motionToSound: hub.value(hub.tree.index(LatencyParameter.motionToSound)).numbers,
            waiting: hub.value(hub.tree.index(LatencyParameter.waiting)).numbers,
            poses: hub.value(hub.tree.index(LatencyParameter.poses)).numbers[0], histogram: sources.histogram(),
            outputTimes: LatencyParameter.sources[Int(clamping: hub.value(hub.tree.index(LatencyParameter.source)).numbers[0])],
            listeners: sources.latencies())
    }

    struct State: TelemetryContent {
        /// p50, p95, p99, max in milliseconds.
        var motionToSound: [Float]
        var waiting: [Float]
        /// Poses used per second.
        var poses: Float
        /// Latencies since the start.
        var histogram: DurationHistogram
        /// Origin of the output times, one of ``LatencyParameter/sources``; not in binary frames.
        var outputTimes: String
        var listeners: [ListenerLatencyReading]

        func write(to bytes: inout TelemetryWriter) {
            bytes.add(motionToSound)
            bytes.add(waiting)
            bytes.add(poses)
            bytes.add(UInt32(histogram.bounds.count))
            bytes.add(histogram.count)
            for count in histogram.cumulative { bytes.add(count) }
            for bound in histogram.bounds { bytes.add(Float(bound * 1000)) }
            bytes.add(UInt32(listeners.count))
            bytes.add(UInt32(ListenerLatency.bounds.count + 1))
            for listener in listeners {
                for stage in LatencyTopic.stages { bytes.add(listener.stages[stage] ?? [0, 0, 0, 0]) }
                bytes.add(listener.rate)
                bytes.add(listener.jitter)
                for count in [listener.received, listener.lost, listener.unused] { bytes.add(UInt64(count)) }
                let empty = [Float](repeating: 0, count: ListenerLatency.bounds.count + 1)
                for count in listener.histogram.isEmpty ? empty : listener.histogram { bytes.add(UInt32(clamping: count)) }
            }
        }

        var json: Document {
            Document(
                motionToSound: motionToSound, waiting: waiting, poses: poses,
                histogram: Histogram(
                    bounds: histogram.bounds.map { Float($0 * 1000) }, cumulative: histogram.cumulative,
                    count: histogram.count),
                outputTimes: outputTimes, listeners: listeners.map(Listener.init))
        }
    }

    struct Document: Encodable {
        let motionToSound, waiting: [Float]
        let poses: Float
        let histogram: Histogram
        let outputTimes: String
        let listeners: [Listener]
    }

    struct Histogram: Encodable {
        let bounds: [Float]
        let cumulative: [UInt64]
        let count: UInt64
    }

    struct Listener: Encodable {
        let motionToSound, transmission, interval, waiting, rendering, output: [Float]
        let rate, jitter: Float
        let received, lost, unused: Int
        let histogram: [Float]

        init(_ reading: ListenerLatencyReading) {
            func stage(_ parameter: ListenerLatency) -> [Float] { reading.stages[parameter] ?? [0, 0, 0, 0] }
            (motionToSound, transmission, interval) = (stage(.motionToSound), stage(.transmission), stage(.interval))
            (waiting, rendering, output) = (stage(.waiting), stage(.rendering), stage(.output))
            (rate, jitter, received, lost) = (reading.rate, reading.jitter, reading.received, reading.lost)
            (unused, histogram) = (reading.unused, reading.histogram)
        }
    }
}
