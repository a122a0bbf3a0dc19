internal import Files
internal import Foundation
internal import Streaming
internal import Web

/// A text message to a peer; fields that a type does not have are left out.
struct CameraAnswer: Encodable {
    struct Peer: Encodable {
        let peer: Int
        let identity: String
        let paired: Bool
        let name: String
        let receivers: Int
        /// Peers that it receives.
        let senders: [Int]
        let offer: Offer?
    }

    struct Offer: Encodable {
        let source: String
        let sound: Bool
        let codecs: [String]
        let admit: String
    }

    struct Link: Encodable {
        let link: Int
        let sender: Int
        let receiver: Int
        let open: Bool
        let bitrate: Int
        /// Pixels of the sender's latest picture; 0 before one.
        let width: Int
        let height: Int
        let frames: Int
        let skipped: Int
        let late: Int
        let waiting: Int
        let trip: Double
        let slope: Double
        let step: Int
        /// The receiver's clock minus the sender's, milliseconds; nil until both are known.
        let offset: Double?
    }

    let type: String
    var version: Int?
    var peer: Int?
    var identity: String?
    var largest: Int?
    var peers: [Peer]?
    var picture: Int?
    var link: Int?
    var sender: Int?
    var receiver: Int?
    var state: String?
    var pictures: Bool?
    var reason: String?
    var bitrate: Int?
    var rate: Int?
    var height: Int?
    var codec: String?
    var links: [Link]?
    var id: Int?
    var code: String?
    var text: String?
    var about: String?
    var count: Int?

    init(_ type: String) { self.type = type }

    /// The message; nil when it contains a number that JSON does not have.
    var frame: WireFrame? {
        return (try? JSONEncoder.wire.encode(self)).map { WireFrame(text: String(decoding: $0, as: UTF8.self)) }
    }

    static func roster(_ entries: [RosterEntry]) -> CameraAnswer {
        var answer = CameraAnswer("update")
        answer.peers = entries.map { entry in
            Peer(
                peer: entry.peer, identity: entry.identity, paired: entry.isPaired, name: entry.name, receivers: entry.receivers,
                senders: entry.senders,
                offer: entry.offer.map {
                    Offer(
                        source: $0.source.rawValue, sound: $0.hasSound, codecs: $0.codecs.map(\.name), admit: $0.admission.rawValue)
                })
        }
        return answer
    }

    /// - Parameter hasPictures: whether the link carries pictures besides sound.
    static func started(_ link: Int, sender: Int? = nil, receiver: Int? = nil, isOpen: Bool, hasPictures: Bool = true) -> CameraAnswer {
        var answer = CameraAnswer("start")
        (answer.link, answer.sender, answer.receiver) = (link, sender, receiver)
        answer.state = isOpen ? "open" : "asking"
        if !hasPictures { answer.pictures = false }
        return answer
    }

    static func stopped(_ link: Int, _ end: RelayEnd) -> CameraAnswer {
        var answer = CameraAnswer("stop")
        (answer.link, answer.reason) = (link, end.rawValue)
        return answer
    }

    static func strategy(_ strategy: VideoStrategy, _ codec: RelayCodec?) -> CameraAnswer {
        var answer = CameraAnswer("strategy")
        (answer.bitrate, answer.rate, answer.height, answer.codec) = (strategy.bitrate, strategy.rate, strategy.height, codec?.name)
        return answer
    }

    /// - Parameters:
    ///   - about: type of the message that is answered; nil for a binary one.
    ///   - count: refusals since the last warning.
    static func warning(_ refusal: RelayRefusal, about: String?, sender: Int?, link: Int?, count: Int) -> CameraAnswer {
        var answer = CameraAnswer("warning")
        (answer.code, answer.text, answer.count) = (refusal.kind.rawValue, refusal.description, count)
        (answer.about, answer.sender, answer.link) = (about, sender, link)
        return answer
    }
}
