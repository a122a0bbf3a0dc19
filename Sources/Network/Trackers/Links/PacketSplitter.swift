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
