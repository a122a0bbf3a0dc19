import Binaural
internal import Files
import Foundation
import Hub
import ListeningTest

/// An A/B/X test of two methods with the loaded recording, without a definition of its own.
struct QuickComparison: Encodable {
    struct Passage: Encodable {
        let name = "recording"
        let recording: String
        let from: Double
        let to: Double
    }

    /// Name of the test in results.
    static let test = "comparison"
    /// Longest passage, seconds: its loudness is measured before the test.
    static let longest = 30.0

    let title = "Comparison of two methods"
    let kind = TestDefinition.Kind.abx.rawValue
    let reference: String
    let conditions: [String]
    let repetitions = 100
    let passages: [Passage]

    /// The names of two different methods.
    /// - Parameter text: both, with a space or a comma between them.
    static func methods(_ text: String) throws -> [String] {
        let names = text.split { $0 == " " || $0 == "," }.map { InterpolationMethod(name: String($0))?.name }
        guard names.count == 2, names[0] != names[1], let first = names[0], let second = names[1] else {
            let all = InterpolationMethod.allCases.map(\.name).joined(separator: ", ")
            throw RequestError("\"\(text)\" does not name two different methods; the methods are \(all)")
        }
        return [first, second]
    }

    /// - Parameters:
    ///   - methods: two names.
    ///   - position: in the recording, seconds; the passage begins there, or earlier near the end.
    ///   - duration: of the recording, seconds.
    init(_ methods: [String], recording: String, position: Double, duration: Double) {
        (reference, conditions) = (methods[0], [methods[1]])
        let length = min(Self.longest, duration)
        let from = ((min(max(0, position), duration - length)) * 100).rounded(.down) / 100
        passages = [Passage(recording: recording, from: from, to: min(from + length, duration))]
    }

    /// The definition as a file would hold it.
    var text: String {
        return String(decoding: (try? JSONEncoder.wire.encode(self)) ?? Data(), as: UTF8.self)
    }

    /// Code under which the answers are kept: date and time of day, UTC.
    static func code(at date: Date = Date()) -> String {
        let words = date.formatted(.iso8601.year().month().day().time(includingFractionalSeconds: false).timeSeparator(.omitted))
        return words.filter { $0.isASCII && ($0.isLetter || $0.isNumber) }
    }
}
