/// Converts a MIDI stream to packets: system exclusive messages without their first and last byte, and rows of 14-bit
/// controllers.
///
/// A row is complete when each of its controllers has been received, in any order. MrHeadTracker sends the upper 7 bits
/// of its numbers as controllers 16 to 19 and the lower 7 bits as 48 to 51.
struct MIDIDecoder: Sendable {
    private var exclusive: [UInt8]?
    private var status: UInt8 = 0
    private var data: [UInt8] = []
    private var upper: [UInt8?]
    private var lower: [UInt8?]

    static let firstUpper: UInt8 = 16
    static let firstLower: UInt8 = 48
    /// Maximum length in bytes; longer messages are dropped.
    private static let longest = 64

    /// - Parameter numbers: numbers per row of controllers.
    init(numbers: Int) {
        upper = Array(repeating: nil, count: numbers)
        lower = upper
    }

    mutating func take(_ bytes: some Sequence<UInt8>) -> [[UInt8]] { bytes.compactMap { take($0) } }

    private mutating func take(_ byte: UInt8) -> [UInt8]? {
        switch byte {
        case 0xF8...: return nil  // Clock messages are allowed anywhere, even inside other messages.
        case 0xF7:
            defer { exclusive = nil }
            return exclusive.flatMap { $0.count <= Self.longest ? $0 : nil }
        case 0xF0: (exclusive, status) = ([], 0)
        case 0x80...: (exclusive, status, data) = (nil, byte < 0xF0 ? byte : 0, [])
        default:
            if exclusive != nil {
                if exclusive!.count <= Self.longest { exclusive!.append(byte) }
            } else if status & 0xF0 == 0xB0 {
                data.append(byte)
                guard data.count == 2 else { return nil }
                defer { data = [] }
                return control(data[0], data[1])
            }
        }
        return nil
    }

    private mutating func control(_ controller: UInt8, _ value: UInt8) -> [UInt8]? {
        func index(_ first: UInt8) -> Int? {
            let index = Int(controller) - Int(first)
            return upper.indices.contains(index) ? index : nil
        }
        if let index = index(Self.firstUpper) {
            // A controller that is repeated begins another row.
            if upper[index] != nil { begin() }
            upper[index] = value
        } else if let index = index(Self.firstLower) {
            if lower[index] != nil { begin() }
            lower[index] = value
        } else {
            return nil
        }
        let row = zip(upper, lower).flatMap { [$0, $1] }.compactMap { $0 }
        guard row.count == 2 * upper.count else { return nil }
        begin()
        return row
    }

    private mutating func begin() {
        for index in upper.indices { (upper[index], lower[index]) = (nil, nil) }
    }
}
