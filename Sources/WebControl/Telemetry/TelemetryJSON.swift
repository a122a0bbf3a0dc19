internal import Foundation
internal import Hub
internal import Parameters

/// A telemetry frame as text; protocol/schemas/telemetry.json says what is in it.
enum TelemetryJSON {
    private struct Frame<Content: Encodable>: Encodable {
        let type = "frame"
        let topic: TelemetryTopic
        let sequence: UInt32
        let time: UInt64
        let snapshot: Bool?
        let merged: Bool?
        let data: Content
    }

    private struct Pair: Encodable {
        let peak: [Float]
        let rms: [Float]

        init(_ levels: Levels, channels: Int? = nil) {
            let silence = [Float](repeating: 0, count: channels ?? 0)
            peak = levels.isEmpty ? silence : levels.peak
            rms = levels.isEmpty ? silence : levels.rms
        }
    }

    private struct Meters: Encodable {
        let microphones: Pair
        let listeners: [Pair]
        let slots: [Slot]
    }

    private struct Slot: Encodable {
        let rack: String
        let slot: Int
        let level, reduction: Float

        init(_ slot: TelemetryDelta.Slot) {
            rack = RackPosition(instance: slot.rack).name
            (self.slot, level, reduction) = (slot.number, slot.level, slot.reduction)
        }
    }

    private struct Engine: Encodable {
        let blocks, samples, xruns, dropouts: Int64
        let load, worst: Float
    }

    private struct Latency: Encodable {
        let motionToSound, waiting: [Float]
        let poses: Float
        let histogram: Histogram
        let listeners: [ListenerWay]
    }

    private struct ListenerWay: Encodable {
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

    private struct Histogram: Encodable {
        let bounds: [Float]
        let cumulative: [UInt64]
        let count: UInt64
    }

    private struct Pose: Encodable {
        let quaternion: [Float]
        let id: UInt64
        let age: Float?
    }

    static func text(_ frame: TelemetryFrame) -> String {
        switch frame.content {
        case .meters(let reading):
            encode(
                frame,
                Meters(
                    microphones: Pair(reading.microphones), listeners: reading.listeners.map { Pair($0, channels: 2) },
                    slots: reading.slots.map(Slot.init)))
        case .engine(let reading):
            encode(
                frame,
                Engine(
                    blocks: reading.blocks, samples: reading.samples, xruns: reading.xruns, dropouts: reading.dropouts,
                    load: Float(reading.load), worst: Float(reading.worstLoad)))
        case .latency(let reading):
            encode(
                frame,
                Latency(
                    motionToSound: reading.motionToSound, waiting: reading.waiting, poses: reading.poses,
                    histogram: Histogram(
                        bounds: reading.histogram.bounds.map { Float($0 * 1000) },
                        cumulative: reading.histogram.cumulative, count: reading.histogram.count),
                    listeners: reading.listeners.map(ListenerWay.init)))
        case .poses(let poses):
            encode(
                frame,
                poses.map { pose in
                    Pose(
                        quaternion: (0..<4).map { pose.quaternion[$0] }, id: pose.id, age: pose.age < 0 ? nil : pose.age)
                })
        case .trackers(let trackers): encode(frame, trackers)
        case .transport(let reading): encode(frame, reading)
        case .clients(let clients): encode(frame, clients)
        case .log(let lines): encode(frame, lines)
        }
    }

    private static func encode(_ frame: TelemetryFrame, _ data: some Encodable) -> String {
        message(
            Frame(
                topic: frame.topic, sequence: frame.sequence, time: frame.time, snapshot: frame.isSnapshot ? true : nil,
                merged: frame.isMerged ? true : nil, data: data))
    }

    /// Any message of the protocol.
    static func message(_ value: some Encodable) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        encoder.keyEncodingStrategy = .convertToSnakeCase
        return String(decoding: (try? encoder.encode(value)) ?? Data(), as: UTF8.self)
    }
}
