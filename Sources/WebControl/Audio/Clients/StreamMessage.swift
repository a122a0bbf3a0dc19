internal import Foundation
internal import Streaming

/// A text message of a client on its audio socket.
enum StreamMessage {
    case wishes(StreamRequest)
    case answer(id: Int, received: Double, answered: Double)
    case report(ReceiverReport)
    case wrong(String)

    /// Longer messages are refused unread.
    private static let longest = 1024

    private struct Kind: Decodable { let type: String }
    private struct Answer: Decodable {
        let id: Int
        let received: Double
        let answered: Double
    }
    private struct Report: Decodable {
        let packets: Int
        let late: Int?
        let lost: Int?
        let refused: Int?
        let concealed: Double?
        let buffer: Double?
        let target: Double?
        let drift: Double?
    }

    init(_ bytes: [UInt8]) {
        let decoder = JSONDecoder()
        let data = Data(bytes.prefix(Self.longest + 1))
        guard data.count <= Self.longest, let kind = try? decoder.decode(Kind.self, from: data) else {
            self = .wrong("the message is not valid; expected {\"type\":\"stream\",…}, {\"type\":\"time\",…} or {\"type\":\"report\",…}")
            return
        }
        switch kind.type {
        case "stream":
            if let wishes = try? decoder.decode(StreamRequest.self, from: data) {
                self = wishes.problem.map { .wrong($0) } ?? .wishes(wishes)
                return
            }
        case "time":
            if let answer = try? decoder.decode(Answer.self, from: data) {
                self = .answer(id: answer.id, received: answer.received, answered: answer.answered)
                return
            }
        case "report":
            if let read = try? decoder.decode(Report.self, from: data) {
                let report = ReceiverReport(
                    packets: read.packets, late: read.late ?? 0, lost: read.lost ?? 0, refused: read.refused ?? 0,
                    concealed: read.concealed ?? 0, buffer: read.buffer ?? 0, target: read.target ?? 0, drift: read.drift ?? 0)
                self = report.isPossible ? .report(report) : .wrong("a number of the report is negative")
                return
            }
        default:
            self = .wrong("there is no type \(kind.type.prefix(32)); the types are stream, time and report")
            return
        }
        self = .wrong("the \(kind.type) message has a field of another type than expected, or lacks one")
    }
}
