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
