/// One format of a running stream: the segments that can be fetched, and its playlist.
struct HLSRendition {
    /// Complete segments in the playlist.
    static let listed = 8
    /// Complete segments whose parts are in the playlist.
    static let withParts = 2
    /// Complete segments that can be fetched: as long as a player may take for the oldest that its playlist lists.
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

    /// Whether the playlist can answer a request now. One that names no place waits for a whole segment: not every player supports parts.
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
