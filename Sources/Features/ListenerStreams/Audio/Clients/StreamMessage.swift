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

/// Wishes of a client about its stream. The server's settings apply to everything that it leaves out.
struct StreamRequest: Decodable, Equatable {
    var format: String?
    /// Bits per second.
    var bitrate: Int?
    var lowest: Int?
    /// Milliseconds.
    var frame: Int?
    var longest: Int?
    var adapt: Bool?
    /// Whether the client receives the settings of its listener besides sound.
    var settings: Bool?
    /// Quality of a scene.
    var profile: String?
    /// The strategy that an adaptive stream begins with: `best` or `low`.
    var start: String?
    /// Name of a choice in the query whose value is neither 0 nor 1.
    private var otherChoice: String?

    private enum CodingKeys: CodingKey { case format, bitrate, lowest, frame, longest, adapt, settings, profile, start }

    private static let starts = ["best", "low"]
    private static let formats = StreamEncoding.Codec.allCases.map(\.rawValue)

    init() {}

    /// The wishes in the query of an address; nil when it has none.
    /// - Parameter query: returns the value of a name.
    init?(_ query: (String) -> String?) {
        func number(_ name: String) -> Int? { query(name).map { Int($0) ?? -1 } }
        format = query("format")
        (bitrate, lowest, frame, longest) = (number("bitrate"), number("lowest"), number("frame"), number("longest"))
        (profile, start) = (query("profile"), query("start"))
        var other: String?
        func choice(_ name: String) -> Bool? {
            guard let word = query(name) else { return nil }
            if word != "0" && word != "1" { other = name }
            return word != "0"
        }
        (adapt, settings) = (choice("adapt"), choice("settings"))
        otherChoice = other
        if self == StreamRequest() { return nil }
    }

    /// The reason why a wish cannot be met; nil when all can.
    var problem: String? {
        if let format, !Self.formats.contains(format) {
            return "there is no format “\(format.prefix(32))”; the formats are \(Self.formats.joined(separator: " and "))"
        }
        if let profile, SceneProfile(rawValue: profile) == nil {
            return "there is no profile “\(profile.prefix(32))”; the profiles are full and low"
        }
        if let start, !Self.starts.contains(start) {
            return "there is no start “\(start.prefix(32))”; a stream starts with best or low"
        }
        let rates = StreamEncoding.bitrates
        for (name, value) in [("bitrate", bitrate), ("lowest", lowest)] {
            if let value, !rates.contains(value) {
                return "\(name) is out of range; it is \(rates.lowerBound) to \(rates.upperBound) bits per second"
            }
        }
        for (name, value) in [("frame", frame), ("longest", longest)] {
            if let value, !StreamEncoding.lengths.contains(value) { return "\(name) is not possible; it is 5, 10 or 20 milliseconds" }
        }
        if let otherChoice { return "\(otherChoice) is not possible; it is 0 or 1" }
        if let lowest, let bitrate, lowest > bitrate { return "lowest is \(lowest), above the highest bitrate \(bitrate)" }
        if let frame, let longest, frame > longest { return "frame is \(frame) milliseconds, above the longest packet of \(longest)" }
        return nil
    }

    /// These wishes, replaced by newer ones where there are any.
    func merged(_ newer: StreamRequest) -> StreamRequest {
        var merged = self
        merged.format = newer.format ?? format
        merged.bitrate = newer.bitrate ?? bitrate
        merged.lowest = newer.lowest ?? lowest
        merged.frame = newer.frame ?? frame
        merged.longest = newer.longest ?? longest
        merged.adapt = newer.adapt ?? adapt
        merged.settings = newer.settings ?? settings
        merged.profile = newer.profile ?? profile
        merged.start = newer.start ?? start
        return merged
    }

    /// - Parameter canCompress: whether the sound device's rate is one of Opus.
    func bounds(_ settings: StreamSettings, canCompress: Bool) -> StreamBounds {
        let codec = canCompress && format != StreamEncoding.Codec.plain.rawValue ? StreamEncoding.Codec.opus : .plain
        let best = StreamEncoding(codec: codec, bitrate: bitrate ?? settings.bitrate, milliseconds: frame ?? settings.milliseconds)
        // A client that requests plain sound may not be able to decode anything else.
        return StreamBounds(
            best: best, lowestBitrate: lowest ?? settings.lowestBitrate, longest: longest ?? settings.longest, mayCompress: false)
    }
}
