/// Lengths of the segments and parts of a stream: the same for all formats, as far as their packets allow.
struct HLSTiming: Equatable, Sendable {
    /// Parts of a segment.
    static let parts = 6
    /// Intended length of a part in seconds.
    private static let part = 0.32

    /// Packets of a part.
    let packets: Int
    /// Frames of a part.
    let frames: Int
    /// Frames per second.
    let rate: Int

    /// - Parameters:
    ///   - packet: frames of a packet.
    ///   - rate: frames per second.
    init(packet: Int, rate: Int) {
        packets = max(1, Int(clamping: (Self.part * Double(rate) / Double(packet)).rounded()))
        frames = packets * packet
        self.rate = rate
    }

    /// Seconds.
    var partDuration: Double { Double(frames) / Double(rate) }
    /// Seconds.
    var segmentDuration: Double { Double(Self.parts) * partDuration }
    /// Seconds that no segment exceeds when its length is rounded.
    var target: Int { max(1, Int(clamping: segmentDuration.rounded())) }
}
