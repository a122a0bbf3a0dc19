/// Splits a stream of bytes into packets.
enum PacketSplitter: Sendable {
    case lines(LineSplitter)
    case eighteen(EighteenSplitter)

    mutating func take(_ bytes: ArraySlice<UInt8>) -> [[UInt8]] {
        switch self {
        case .lines(var splitter):
            defer { self = .lines(splitter) }
            return splitter.take(bytes)
        case .eighteen(var splitter):
            defer { self = .eighteen(splitter) }
            return splitter.take(bytes)
        }
    }
}

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

/// Splits a stream into rows of 18 characters, three signed numbers of 6 each, with or without line ends.
///
/// A row begins after a line end, or where the signs are at the right places: a row taken from the middle of a number
/// has one in the middle. Without line ends nothing distinguishes the three numbers; boards restart when their line is
/// opened.
struct EighteenSplitter: Sendable {
    private var waiting: [UInt8] = []
    private let isRow: @Sendable ([UInt8]) -> Bool

    init(isRow: @escaping @Sendable ([UInt8]) -> Bool) { self.isRow = isRow }

    mutating func take(_ bytes: ArraySlice<UInt8>) -> [[UInt8]] {
        var rows: [[UInt8]] = []
        for byte in bytes {
            if byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") {
                waiting.removeAll(keepingCapacity: true)
                continue
            }
            waiting.append(byte)
            guard waiting.count == 18 else { continue }
            if isRow(waiting) {
                rows.append(waiting)
                waiting.removeAll(keepingCapacity: true)
            } else {
                waiting.removeFirst()
            }
        }
        return rows
    }
}
