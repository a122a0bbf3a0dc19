internal import CQRCode

/// A QR code (ISO/IEC 18004) of a text, with error correction for 15 % of its area.
public struct QRCode: Sendable {
    /// Modules along an edge, without the quiet zone.
    public let size: Int
    private let isDark: [Bool]
    /// Width of the light margin that the standard requires.
    private static let quiet = 4

    /// - Returns: nil for a text of more than about 2,300 bytes.
    public init?(_ text: String) {
        guard let code = QRcode_encodeString8bit(text, 0, QR_ECLEVEL_M) else { return nil }
        defer { QRcode_free(code) }
        size = Int(code.pointee.width)
        // The lowest bit of a module is set when it is dark.
        isDark = UnsafeBufferPointer(start: code.pointee.data, count: size * size).map { $0 & 1 != 0 }
    }

    /// One text per row; `1` is dark.
    public var rows: [String] {
        (0..<size).map { y in String((0..<size).map { isDark[y * size + $0] ? "1" : "0" }) }
    }

    /// The code for a terminal: two modules per character, light on dark whatever the terminal's own colours are.
    public var terminal: String {
        let range = -Self.quiet..<(size + Self.quiet)
        return stride(from: range.lowerBound, to: range.upperBound, by: 2).map { y in
            let line = range.map { x in
                switch (isLight(x, y), isLight(x, y + 1)) {
                case (true, true): "█"
                case (true, false): "▀"
                case (false, true): "▄"
                case (false, false): " "
                }
            }
            return "\u{1B}[97;40m\(line.joined())\u{1B}[0m"
        }.joined(separator: "\n")
    }

    private func isLight(_ x: Int, _ y: Int) -> Bool {
        guard (0..<size).contains(x), (0..<size).contains(y) else { return y < size + Self.quiet }
        return !isDark[y * size + x]
    }
}
