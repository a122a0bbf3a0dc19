/// One connection to the relay. Each may send, receive, and do both.
struct RelayPeer: Sendable {
    let number: Int
    /// Name by which the engine recognises a paired client; a unique name for any other connection.
    let identity: String
    /// Whether the identity outlasts the connection.
    let isPaired: Bool
    let name: String
    /// Codecs of pictures that it can decode.
    let decodes: Set<RelayCodec>
    /// Whether it takes pictures too; otherwise its links carry sound only, and ask nothing of the encoder of pictures.
    let takesPictures: Bool

    var offer: RelayOffer?
    /// Strategies of the offer.
    var ladder = VideoLadder(VideoBounds())
    /// Measurements of the path of its pictures to the relay.
    var uplink = UplinkGauge(steps: 1)
    /// Strategy and codec as last sent to the sender.
    var told: (strategy: VideoStrategy, codec: RelayCodec?)?
    /// Numbers of the latest frames of the offer.
    var latest: (picture: UInt32?, sound: UInt32?) = (nil, nil)
    /// Pixels of the latest picture; 0 before one.
    var size = (width: 0, height: 0)
    /// Time of the latest small picture, milliseconds.
    var latestStill: Double?
    /// Whether the next picture can be decoded after those before.
    var isWhole = false
    /// Time at which a key frame was asked for and has not come, milliseconds.
    var keyAsked: Double?
    /// Identities that the sender has stopped, and times until which denied ones may not ask again.
    var barred: Set<String> = []
    var denied: [String: Double] = [:]
}

/// Offer of a sender: its source, its receivers, and how its encoder may follow the receivers.
public struct RelayOffer: Sendable, Equatable {
    public enum Source: String, Sendable, CaseIterable {
        case camera, screen, microphone
    }

    /// Peers who may receive.
    public enum Admission: String, Sendable, CaseIterable {
        case everyone, named
        /// The sender is asked each time.
        case ask
    }

    /// Receivers that the encoder follows.
    public enum Following: String, Sendable, CaseIterable {
        case slowest, median
    }

    public var source: Source
    public var hasSound: Bool
    /// Codecs of pictures that the sender has, the preferred first.
    public var codecs: [RelayCodec]
    public var admission: Admission
    /// Identities of the peers that ``Admission/named`` admits.
    public var named: Set<String>
    /// Identities that the sender has stopped, on this connection or on one before.
    public var stopped: Set<String>
    public var bounds: VideoBounds
    public var following: Following

    public init(
        _ source: Source, hasSound: Bool = false, codecs: [RelayCodec] = [.vp8], admission: Admission = .ask, named: Set<String> = [],
        stopped: Set<String> = [], bounds: VideoBounds = VideoBounds(), following: Following = .slowest
    ) {
        self.source = source
        self.hasSound = hasSound || source == .microphone
        self.codecs = source == .microphone ? [] : codecs
        self.admission = admission
        self.named = named
        self.stopped = stopped
        self.bounds = bounds
        self.following = following
    }
}
