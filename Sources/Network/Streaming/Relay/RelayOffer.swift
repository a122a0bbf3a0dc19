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
