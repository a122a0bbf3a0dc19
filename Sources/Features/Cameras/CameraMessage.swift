internal import Foundation
internal import ListenerStreams
package import Streaming

/// A text message of a peer on its camera socket.
package enum CameraMessage {
    case hello(name: String, decodes: Set<RelayCodec>)
    /// An offer.
    case update(RelayOffer)
    case start(sender: Int)
    case allow(link: Int)
    case deny(link: Int)
    case pardon(peer: Int)
    /// The end of one link, or of everything that the peer sends.
    case stop(link: Int?)
    case key(link: Int)
    /// Whether the peer requests the measurements of all links, not only of its own.
    case links(all: Bool)
    case time(id: Int, received: Double, answered: Double)

    /// Longer messages are refused unread.
    private static let longest = 8192
    package static let version = 1

    private struct Kind: Decodable { let type: String }

    private struct Hello: Decodable {
        let version: Int
        let name: String?
        let decodes: [String]
    }

    private struct Update: Decodable {
        let source: String
        let sound: Bool?
        let codecs: [String]?
        let admit: String
        let named: [String]?
        let stopped: [String]?
        let follow: String?
        let best: Strategy?
        let lowest: Strategy?
    }

    package struct Strategy: Codable {
        package let bitrate: Int
        package let rate: Int
        package let height: Int

        package init(_ strategy: VideoStrategy) { (bitrate, rate, height) = (strategy.bitrate, strategy.rate, strategy.height) }

        package var strategy: VideoStrategy { VideoStrategy(bitrate: bitrate, rate: rate, height: height) }
    }

    private struct About: Decodable {
        let link: Int?
        let peer: Int?
        let sender: Int?
        let all: Bool?
    }

    private struct Time: Decodable {
        let id: Int
        let received: Double
        let answered: Double
    }

    /// - Throws: the reason why it is not a message of this protocol.
    package init(_ bytes: [UInt8]) throws(RelayRefusal) {
        let data = Data(bytes.prefix(Self.longest + 1))
        guard data.count <= Self.longest else { throw RelayRefusal(.size, "a message has at most \(Self.longest) bytes") }
        let type = try Self.read(Kind.self, data, "message").type
        func about() throws(RelayRefusal) -> About { try Self.read(About.self, data, type) }
        func number(_ value: Int?, _ name: String) throws(RelayRefusal) -> Int {
            guard let value, value >= 0 else { throw RelayRefusal(.form, "the \(type) message needs a \(name): a number") }
            return value
        }
        switch type {
        case "hello": self = try Self.hello(Self.read(Hello.self, data, type))
        case "update": self = .update(try Self.offer(Self.read(Update.self, data, type)))
        case "start": self = .start(sender: try number(about().sender, "sender"))
        case "allow": self = .allow(link: try number(about().link, "link"))
        case "deny": self = .deny(link: try number(about().link, "link"))
        case "pardon": self = .pardon(peer: try number(about().peer, "peer"))
        case "stop": self = .stop(link: try about().link)
        case "key": self = .key(link: try number(about().link, "link"))
        case "links": self = .links(all: try about().all ?? false)
        case "time":
            let time = try Self.read(Time.self, data, type)
            guard LinkProbe.times.contains(time.received), LinkProbe.times.contains(time.answered) else {
                throw RelayRefusal(.form, "received and answered of a time message are milliseconds, from -1e15 to 1e15")
            }
            self = .time(id: time.id, received: time.received, answered: time.answered)
        default:
            let types = "hello, update, start, allow, deny, pardon, stop, key, links and time"
            throw RelayRefusal(.form, "there is no type \(type.prefix(32)); the types are \(types)")
        }
    }

    private static func read<Content: Decodable>(_ type: Content.Type, _ data: Data, _ name: String) throws(RelayRefusal) -> Content {
        do { return try JSONDecoder().decode(type, from: data) } catch {
            throw RelayRefusal(.form, "the \(name.prefix(32)) is not complete JSON, or has a missing field or a field of the wrong type")
        }
    }

    private static func hello(_ read: Hello) throws(RelayRefusal) -> CameraMessage {
        guard read.version == version else {
            throw RelayRefusal(.form, "version \(read.version) of the protocol is not supported; this engine has version \(version)")
        }
        // Codecs of newer browsers are not errors: unknown ones are never sent.
        let decodes = Set(read.decodes.prefix(32).compactMap(RelayCodec.init(name:)).filter { !$0.isSound })
        let name = String(String.UnicodeScalarView((read.name ?? "").unicodeScalars.filter { !$0.properties.isControl }))
        return .hello(name: RelayLimits.bounded(name.trimmingCharacters(in: .whitespaces)), decodes: decodes)
    }

    private static func offer(_ read: Update) throws(RelayRefusal) -> RelayOffer {
        guard let source = RelayOffer.Source(rawValue: read.source) else {
            throw RelayRefusal(.form, "there is no source “\(read.source.prefix(32))”; it is one of \(words(RelayOffer.Source.self))")
        }
        guard let admission = RelayOffer.Admission(rawValue: read.admit) else {
            throw RelayRefusal(.form, "admit is “\(read.admit.prefix(32))”; it is one of \(words(RelayOffer.Admission.self))")
        }
        guard let following = RelayOffer.Following(rawValue: read.follow ?? RelayOffer.Following.slowest.rawValue) else {
            throw RelayRefusal(.form, "follow is not possible; it is one of \(words(RelayOffer.Following.self))")
        }
        var codecs: [RelayCodec] = []
        for name in (read.codecs ?? []).prefix(8) {
            guard let codec = RelayCodec(name: name), !codec.isSound else {
                throw RelayRefusal(.codec, "there is no codec “\(name.prefix(32))” for pictures; the codecs are \(RelayCodec.words)")
            }
            if !codecs.contains(codec) { codecs.append(codec) }
        }
        guard !codecs.isEmpty || source == .microphone else { throw RelayRefusal(.codec, "an offer of pictures needs at least one codec") }
        let named = Set((read.named ?? []).prefix(RelayLimits.named).map(RelayLimits.bounded))
        // Identities beyond the limit would be admitted again.
        guard read.stopped?.count ?? 0 <= RelayLimits.named else {
            throw RelayRefusal(.limit, "an offer lists at most \(RelayLimits.named) stopped identities")
        }
        let stopped = Set((read.stopped ?? []).map(RelayLimits.bounded))
        let usual = VideoBounds()
        let bounds = VideoBounds(best: read.best?.strategy ?? usual.best, lowest: read.lowest?.strategy ?? usual.lowest)
        return RelayOffer(
            source, hasSound: read.sound ?? false, codecs: codecs, admission: admission, named: named, stopped: stopped, bounds: bounds,
            following: following)
    }

    private static func words<Choice: CaseIterable & RawRepresentable>(_: Choice.Type) -> String where Choice.RawValue == String {
        Choice.allCases.map(\.rawValue).joined(separator: ", ")
    }
}

extension Unicode.Scalar.Properties {
    fileprivate var isControl: Bool { generalCategory == .control || generalCategory == .format }
}
