/// Lines, ended by a return, a newline or both. What comes before the first end is the rest of a line and is left out.
struct LineSplitter: Sendable {
    private var line: [UInt8] = []
    private var isWhole = false
    /// Bytes; a longer line is none of a tracker.
    private static let longest = 256

    mutating func take(_ bytes: ArraySlice<UInt8>) -> [[UInt8]] {
        var lines: [[UInt8]] = []
        for byte in bytes {
            if byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") {
                if isWhole, !line.isEmpty { lines.append(line) }
                isWhole = true
                line.removeAll(keepingCapacity: true)
            } else if line.count < Self.longest {
                line.append(byte)
            } else {
                isWhole = false
            }
        }
        return lines
    }
}
