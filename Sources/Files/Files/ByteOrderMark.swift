/// The three bytes that editors on Windows write before UTF-8 text.
public enum ByteOrderMark {
    private static let bytes: [UInt8] = [0xEF, 0xBB, 0xBF]

    /// The bytes without the mark at their beginning.
    public static func removed(from text: [UInt8]) -> [UInt8] { text.starts(with: bytes) ? Array(text.dropFirst(bytes.count)) : text }
}
