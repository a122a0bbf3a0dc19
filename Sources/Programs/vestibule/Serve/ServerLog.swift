import ArgumentParser
import CRealtime
import Files
import Foundation
import Hub

/// The log on standard output. Used on the control thread, which never waits for it.
final class ServerLog {
    /// Receives every line as it is written.
    var tap: (String) -> Void = { _ in }
    private let writer: LogWriter
    private var limiter = LogLimiter()

    init(_ format: LogFormat) throws { writer = try LogWriter(descriptor: STDOUT_FILENO) { format.line($0, $1) } }

    /// Lines left out since the start: by the limit of their source, and because the log was not read.
    var leftOut: (limited: Int, stalled: Int) { (limiter.leftOut, writer.leftOut) }

    /// Writes a line of the program's own.
    func write(_ text: String) { put(LogText.line(text)) }

    /// Writes a line if its source has not written too many.
    func write(_ text: String, from source: LogSource) {
        if limiter.admits(source, now: rt_now()) { write(text) }
    }

    /// Shows text to the person at the terminal, as it is.
    func show(_ text: String) { writer.show(text) }

    /// Reports how many lines were left out; called about once a second.
    func tick() { limiter.endPeriods(now: rt_now()).forEach(put) }

    /// Writes what is waiting, for at most ``LogWriter/patience``.
    func close() {
        limiter.endPeriods(now: .max).forEach(put)
        writer.close()
    }

    private func put(_ line: String) {
        writer.write(line)
        tap(line)
    }
}

/// Format of log lines: text for people, or one JSON object a line for log collectors.
enum LogFormat: String, ExpressibleByArgument, CaseIterable {
    case text, json

    private struct Line: Encodable {
        /// RFC 3339, UTC, milliseconds.
        let time: String
        let message: String
    }

    /// A line of the log.
    /// - Parameter time: seconds since 1970.
    func line(_ time: Double, _ text: String) -> String {
        guard self == .json else { return text }
        let format = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
        let line = try? JSONEncoder.wire.encode(Line(time: Date(timeIntervalSince1970: time).formatted(format), message: text))
        return String(decoding: line ?? Data(), as: UTF8.self)
    }
}
