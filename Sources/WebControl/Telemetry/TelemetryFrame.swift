internal import Foundation

/// One frame of one topic, written once for each format and shared by all who get it.
final class TelemetryFrame {
    let topic: TelemetryTopic
    /// Of the topic.
    let index: Int
    /// Periods of the rate since the stream began: a gap is frames that this client did not get.
    let sequence: UInt32
    /// CLOCK_MONOTONIC nanoseconds.
    let time: UInt64
    let content: TelemetryContent
    /// The first frame of a subscription: what is, not what has changed.
    let isSnapshot: Bool
    /// Stands for several frames, because the client was slow.
    let isMerged: Bool
    /// What it was last put together with: clients that are slow are mostly slow together, and share that too.
    private var merged: (earlier: TelemetryFrame, whole: TelemetryFrame)?
    private var json: WireFrame?
    private var binary: WireFrame?

    init(
        _ topic: TelemetryTopic, sequence: UInt32, time: UInt64, _ content: TelemetryContent, isSnapshot: Bool = false,
        isMerged: Bool = false
    ) {
        self.topic = topic
        index = topic.index
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
            topic, sequence: sequence, time: time, content.following(earlier.content),
            isSnapshot: earlier.isSnapshot && topic.isState, isMerged: true)
        merged = (earlier, whole)
        return whole
    }

    func wire(isBinary: Bool) -> WireFrame {
        if isBinary {
            if let binary { return binary }
            guard topic.code != nil else { return wire(isBinary: false) }
            let made = WireFrame(binary: TelemetryBinary.bytes(self))
            binary = made
            return made
        }
        if let json { return json }
        let made = WireFrame(text: TelemetryJSON.text(self))
        json = made
        return made
    }
}

enum TelemetryFormat: String, Codable { case json, binary }
