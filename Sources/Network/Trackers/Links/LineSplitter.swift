/// Splits a stream into lines ended by a carriage return, a newline or both. Bytes before the first end are dropped.
struct LineSplitter: Sendable {
    private var line: [UInt8] = []
    private var isWhole = false
    /// Maximum length in bytes; longer lines are dropped.
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
