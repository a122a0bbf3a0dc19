import ArgumentParser
import Foundation

/// How the program says what happens: for people, or a JSON object a line for programs that collect logs.
enum LogForm: String, ExpressibleByArgument, CaseIterable {
    case text, json

    private struct Line: Encodable {
        /// RFC 3339, UTC, milliseconds.
        let time: String
        let message: String
    }

    /// Writes one line at once, whoever reads it.
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
