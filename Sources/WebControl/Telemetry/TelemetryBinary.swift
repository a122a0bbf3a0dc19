internal import Hub
internal import Parameters

/// A telemetry frame as bytes; protocol/telemetry.md is the table.
enum TelemetryBinary {
    static func bytes(_ frame: TelemetryFrame) -> [UInt8] {
        var writer = Writer()
        writer.add(UInt8(1))
        writer.add(frame.topic.code ?? 0)
        writer.add(UInt16(frame.isSnapshot ? 1 : 0) | UInt16(frame.isMerged ? 2 : 0))
        writer.add(frame.sequence)
        writer.add(frame.time)
        switch frame.content {
        case .meters(let reading): add(reading, &writer)
        case .engine(let reading):
            for count in [reading.blocks, reading.samples, reading.xruns, reading.dropouts] { writer.add(UInt64(count)) }
            writer.add(Float(reading.load))
            writer.add(Float(reading.worstLoad))
        case .latency(let reading): add(reading, &writer)
        case .poses(let poses):
            writer.add(UInt32(poses.count))
            for pose in poses {
                for i in 0..<4 { writer.add(pose.quaternion[i]) }
                writer.add(pose.age)
                writer.add(pose.id)
            }
        case .trackers(let trackers):
            writer.add(UInt32(trackers.count))
            for tracker in trackers {
                writer.add(UInt16(tracker.number))
                writer.add(UInt16(tracker.listener))
                writer.add(UInt16(TrackerParameter.states.firstIndex(of: tracker.state) ?? 0))
                writer.add(UInt16(tracker.inCharge ? 1 : 0))
                for number in [tracker.rate, tracker.age, tracker.yaw, tracker.pitch, tracker.roll, tracker.correction] {
                    writer.add(number)
                }
            }
        case .transport(let reading):
            writer.add(UInt32(["stopped", "playing", "paused"].firstIndex(of: reading.state) ?? 0))
            writer.add(UInt32(reading.loop ? 1 : 0))
            writer.add(reading.position)
            writer.add(reading.duration)
        case .clients, .log: break
        }
        return writer.bytes
    }

    private static func add(_ reading: MeterReading, _ writer: inout Writer) {
        writer.add(UInt16(reading.microphones.peak.count))
        writer.add(UInt16(reading.listeners.count))
        writer.add(reading.microphones.peak)
        writer.add(reading.microphones.rms)
        for listener in reading.listeners {
            let isSilent = listener.peak.isEmpty
            writer.add(isSilent ? [0, 0] : listener.peak)
            writer.add(isSilent ? [0, 0] : listener.rms)
        }
        for slot in reading.slots {
            writer.add(UInt16(slot.rack))
            writer.add(UInt16(slot.number))
            writer.add(slot.level)
            writer.add(slot.reduction)
        }
    }

    private static func add(_ reading: LatencyReading, _ writer: inout Writer) {
        writer.add(reading.motionToSound)
        writer.add(reading.waiting)
        writer.add(reading.poses)
        writer.add(UInt32(reading.histogram.bounds.count))
        writer.add(reading.histogram.count)
        for count in reading.histogram.cumulative { writer.add(count) }
        for bound in reading.histogram.bounds { writer.add(Float(bound * 1000)) }
        writer.add(UInt32(reading.listeners.count))
        writer.add(UInt32(ListenerLatency.bounds.count + 1))
        for listener in reading.listeners {
            for stage in [ListenerLatency.motionToSound, .transmission, .interval, .waiting, .rendering, .output] {
                writer.add(listener.stages[stage] ?? [0, 0, 0, 0])
            }
            writer.add(listener.rate)
            writer.add(listener.jitter)
            for count in [listener.received, listener.lost, listener.unused] { writer.add(UInt64(count)) }
            let empty = [Float](repeating: 0, count: ListenerLatency.bounds.count + 1)
            for count in listener.histogram.isEmpty ? empty : listener.histogram { writer.add(UInt32(count)) }
        }
    }

    /// Numbers, one after the other, little-endian.
    private struct Writer {
        var bytes: [UInt8] = []

        mutating func add(_ value: some FixedWidthInteger) {
            withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
        }

        mutating func add(_ value: Float) { add(value.bitPattern) }

        mutating func add(_ values: [Float]) { for value in values { add(value) } }
    }
}
