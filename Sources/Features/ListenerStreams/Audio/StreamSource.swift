internal import Streaming

/// Source of a client's packets: the ears of a listener, or the scene that the client renders for that listener itself.
protocol StreamSource: AnyObject {
    /// Number of the listener, from 1.
    var listener: Int { get }
    /// Frames per second.
    var rate: Int { get }
    /// Frames by which the sound of a packet is later than its sample count says.
    var latency: Int { get }
    /// The reason why there is no compressed sound; nil when there is.
    var compressionRefusal: String? { get }

    /// Strategies that a client's wishes allow.
    func ladder(_ wishes: StreamRequest, _ settings: StreamSettings) -> StrategyLadder

    /// The first members of the message that describes the format of the packets: their channels and frames.
    func shape(_ encoding: StreamEncoding) -> [String]

    /// The members of that message after those about the listener and the client.
    ///
    /// - Parameter isMeasured: whether the client has asked for a stream that is measured.
    func format(_ encoding: StreamEncoding, isMeasured: Bool) -> [String]

    /// Bits per second of all sound in an encoding.
    func bitrate(_ encoding: StreamEncoding) -> Int

    func join(_ client: AudioClient)
    func leave(_ client: AudioClient)

    /// Begins and ends encodings after a client has come, gone or changed.
    func update()
}
