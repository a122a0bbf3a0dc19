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
