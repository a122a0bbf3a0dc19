internal import Files
internal import Foundation
internal import Web

/// One frame of one topic, encoded once for each format and shared by all clients that get it.
final class TelemetryFrame {
    let topic: any TelemetryTopic
    /// Position of the topic among all topics.
    let index: Int
    /// Periods of the rate since the stream began: a gap is frames that this client did not get.
    let sequence: UInt32
    /// CLOCK_MONOTONIC nanoseconds.
    let time: UInt64
    let content: any TelemetryContent
    /// True for the first frame of a subscription, which contains a state rather than a change.
    let isSnapshot: Bool
    /// True for a frame that stands for several, because the client was slow.
    let isMerged: Bool
    /// The last merge: clients that are slow are mostly slow at the same time, and share it.
    private var merged: (earlier: TelemetryFrame, whole: TelemetryFrame)?
    private var json: WireFrame?
    /// `json` for clients that may not control.
    private var shown: WireFrame?
    private var binary: WireFrame?

    init(
        _ topic: any TelemetryTopic, index: Int, sequence: UInt32, time: UInt64, _ content: any TelemetryContent,
        isSnapshot: Bool = false, isMerged: Bool = false
    ) {
        self.topic = topic
        self.index = index
        self.sequence = sequence
        self.time = time
        self.content = content
        self.isSnapshot = isSnapshot
        self.isMerged = isMerged
    }

    /// This frame for a client that has not been sent an earlier one.
    func following(_ earlier: TelemetryFrame) -> TelemetryFrame {
        if let merged, merged.earlier === earlier { return merged.whole }
        let whole = TelemetryFrame(
            topic, index: index, sequence: sequence, time: time, content.merged(with: earlier.content),
            isSnapshot: earlier.isSnapshot && topic.isState, isMerged: true)
        merged = (earlier, whole)
        return whole
    }

    /// - Parameter folders: which are hidden from a client that may not control; nil for one that may.
    func wire(isBinary: Bool, hiding folders: HiddenFolders? = nil) -> WireFrame {
        if isBinary {
            if let binary { return binary }
            guard let code = topic.code else { return wire(isBinary: false, hiding: folders) }
            let made = WireFrame(binary: TelemetryBinary.bytes(self, code: code))
            binary = made
            return made
        }
        if let known = folders == nil ? json : shown { return known }
        let text = TelemetryJSON.text(self)
        let made = WireFrame(text: folders?.text(text) ?? text)
        if folders == nil { json = made } else { shown = made }
        return made
    }
}

/// Encoding of the frames of a subscription.
enum TelemetryFormat: String, Codable { case json, binary }

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

/// A telemetry frame as bytes; protocol/telemetry.md has the table.
enum TelemetryBinary {
    static func bytes(_ frame: TelemetryFrame, code: UInt8) -> [UInt8] {
        var writer = TelemetryWriter()
        writer.add(UInt8(1))
        writer.add(code)
        writer.add(UInt16(frame.isSnapshot ? 1 : 0) | UInt16(frame.isMerged ? 2 : 0))
        writer.add(frame.sequence)
        writer.add(frame.time)
        frame.content.write(to: &writer)
        return writer.bytes
    }
}

/// Numbers of a binary frame, one after the other, little-endian.
package struct TelemetryWriter {
    private(set) var bytes: [UInt8] = []

    mutating func add(_ value: some FixedWidthInteger) {
        withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
    }

    mutating func add(_ value: Float) { add(value.bitPattern) }

    mutating func add(_ values: [Float]) { for value in values { add(value) } }
}
