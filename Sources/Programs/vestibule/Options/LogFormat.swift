import ArgumentParser
internal import Files
import Foundation

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
