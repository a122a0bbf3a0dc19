internal import Files
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
    /// `json` for those who may not control.
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
