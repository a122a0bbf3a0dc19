internal import Files
internal import Foundation

/// A telemetry frame as text; protocol/schemas/telemetry.json describes it.
enum TelemetryJSON {
    private struct Frame<Content: Encodable>: Encodable {
        let type = "frame"
        let topic: String
        let sequence: UInt32
        let time: UInt64
        let snapshot: Bool?
        let merged: Bool?
        let data: Content
    }

    static func text(_ frame: TelemetryFrame) -> String { text(frame, frame.content.json) }

    private static func text(_ frame: TelemetryFrame, _ data: some Encodable) -> String {
        message(
            Frame(
                topic: frame.topic.name, sequence: frame.sequence, time: frame.time,
                snapshot: frame.isSnapshot ? true : nil, merged: frame.isMerged ? true : nil, data: data))
    }

    /// Any message of the protocol.
    static func message(_ value: some Encodable) -> String {
        let encoder = JSONEncoder.wire
        encoder.keyEncodingStrategy = .convertToSnakeCase
        return String(decoding: (try? encoder.encode(value)) ?? Data(), as: UTF8.self)
    }
}
