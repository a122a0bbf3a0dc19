/// `log`: the lines of the log; the last ones at once, then every new one.
final class LogTopic: TelemetryTopic {
    let name = "log"
    let fastest = 60
    let isState = true

    private let log: LogTail

    init(_ sources: TelemetrySources) { log = sources.log }

    func begin(_ group: TelemetryGroup) { group.lastLine = log.last }

    func snapshot(for group: TelemetryGroup) -> (any TelemetryContent)? { Lines(json: log.after(0)) }

    func next(for group: TelemetryGroup, now: UInt64) -> (any TelemetryContent)? {
        let lines = log.after(group.lastLine)
        guard !lines.isEmpty else { return nil }
        group.lastLine = log.last
        return Lines(json: lines)
    }

    struct Lines: TelemetryContent {
        let json: [LogLine]

        func following(_ earlier: Lines) -> Lines { Lines(json: Array((earlier.json + json).suffix(LogTail.most))) }
    }
}
