/// One format of a running stream: the segments that can be fetched, and its playlist.
struct HLSRendition {
    /// Complete segments in the playlist.
    static let listed = 8
    /// Complete segments whose parts are in the playlist.
    static let withParts = 2
    /// Complete segments that can be fetched: enough for a player that takes long to request the oldest one of its playlist.
    static let kept = 18

    let format: HLSFormat
    let timing: HLSTiming
    let initialization: [UInt8]
    private(set) var segments: [HLSSegment] = []
    /// The segment whose parts are being made.
    private(set) var present: HLSSegment
    /// The playlist in the current state; nil until it is asked for.
    var playlist: [UInt8]?

    init(_ format: HLSFormat, _ timing: HLSTiming, initialization: [UInt8], first number: Int) {
        (self.format, self.timing, self.initialization) = (format, timing, initialization)
        present = HLSSegment(number: number, date: 0)
    }

    /// Number and part of the next part, which is being made.
    var next: HLSPosition { HLSPosition(segment: present.number, part: present.parts.count) }

    /// Number and part of the latest part; nil before the first.
    var latest: HLSPosition? {
        if !present.parts.isEmpty { return HLSPosition(segment: present.number, part: present.parts.count - 1) }
        return segments.last.map { HLSPosition(segment: $0.number, part: $0.parts.count - 1) }
    }

    /// - Returns: whether the part completes a segment.
    mutating func add(_ part: HLSPart, date: Double) -> Bool {
        playlist = nil
        if present.parts.isEmpty { present = HLSSegment(number: present.number, date: date) }
        present.add(part)
        guard present.isComplete else { return false }
        segments.append(present)
        if segments.count > Self.kept { segments.removeFirst() }
        present = HLSSegment(number: present.number + 1, date: 0)
        return true
    }

    /// Whether the playlist can answer a request now. A request that names no position waits for a whole segment, since not every player
    /// supports parts.
    func has(_ position: HLSPosition?) -> Bool {
        guard let position else { return !segments.isEmpty }
        guard latest != nil else { return false }
        guard let part = position.part else { return position.segment < present.number }
        return position.segment < present.number || position.segment == present.number && part < present.parts.count
    }

    /// The bytes of a segment or a part; nil for one that is not there.
    func bytes(_ resource: HLSAddress.Resource) -> [UInt8]? {
        switch resource {
        case .initialization: return initialization
        case .segment(let number): return segments.first { $0.number == number }?.bytes
        case .part(let number, let part):
            let segment = number == present.number ? present : segments.first { $0.number == number }
            guard let segment, part < segment.parts.count else { return nil }
            return segment.parts[part].bytes
        }
    }
}

/// A segment whose parts are complete, or are still being made.
struct HLSSegment {
    /// Media sequence number.
    let number: Int
    /// Time at which its first sound was rendered, seconds since 1970.
    let date: Double
    private(set) var parts: [HLSPart] = []
    /// All parts together, once the segment is complete.
    private(set) var bytes: [UInt8] = []

    init(number: Int, date: Double) { (self.number, self.date) = (number, date) }

    /// Seconds.
    var duration: Double { parts.reduce(0) { $0 + $1.duration } }
    var isComplete: Bool { parts.count == HLSTiming.parts }

    mutating func add(_ part: HLSPart) {
        parts.append(part)
        if isComplete { bytes = parts.flatMap(\.bytes) }
    }
}

/// A part of a segment: one fragment of MP4.
struct HLSPart: Sendable {
    /// Seconds.
    let duration: Double
    let bytes: [UInt8]
}

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
