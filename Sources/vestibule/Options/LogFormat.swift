import ArgumentParser
import Foundation

/// Format of log lines: text for people, or one JSON object a line for log collectors.
enum LogFormat: String, ExpressibleByArgument, CaseIterable {
    case text, json

    private struct Line: Encodable {
        /// RFC 3339, UTC, milliseconds.
        let time: String
        let message: String
    }

    /// Writes one line and flushes it.
    func write(_ text: String) {
        switch self {
        case .text: print(text)
        case .json:
            let format = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            let line = try? encoder.encode(Line(time: Date().formatted(format), message: text))
            print(String(decoding: line ?? Data(), as: UTF8.self))
        }
        fflush(nil)
    }
}
