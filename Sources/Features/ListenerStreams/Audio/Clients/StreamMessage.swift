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

    /// A message as JSON, whose type determines how it is read.
    private struct Envelope: Decodable {
        let message: StreamMessage

        private enum CodingKeys: CodingKey { case type }

        init(from decoder: any Decoder) throws {
            let type = try decoder.container(keyedBy: CodingKeys.self).decode(String.self, forKey: .type)
            message =
                (try? StreamMessage(type, decoder))
                ?? .wrong("the \(type) message has a missing field or a field of the wrong type")
        }
    }
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
        let data = Data(bytes.prefix(Self.longest + 1))
        guard data.count <= Self.longest, let envelope = try? JSONDecoder().decode(Envelope.self, from: data) else {
            self = .wrong("the message is not valid; expected {\"type\":\"stream\",…}, {\"type\":\"time\",…} or {\"type\":\"report\",…}")
            return
        }
        self = envelope.message
    }

    private init(_ type: String, _ decoder: any Decoder) throws {
        switch type {
        case "stream":
            let wishes = try StreamRequest(from: decoder)
            self = wishes.problem.map { .wrong($0) } ?? .wishes(wishes)
        case "time":
            let answer = try Answer(from: decoder)
            self = .answer(id: answer.id, received: answer.received, answered: answer.answered)
        case "report":
            let read = try Report(from: decoder)
            let report = ReceiverReport(
                packets: read.packets, late: read.late ?? 0, lost: read.lost ?? 0, refused: read.refused ?? 0,
                concealed: read.concealed ?? 0, buffer: read.buffer ?? 0, target: read.target ?? 0, drift: read.drift ?? 0)
            self = report.isPossible ? .report(report) : .wrong("a number of the report is negative")
        default: self = .wrong("there is no type \(type.prefix(32)); the types are stream, time and report")
        }
    }
}
