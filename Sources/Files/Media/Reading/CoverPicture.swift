internal import Files

/// The cover picture of a file: PNG, JPEG or WebP, of which only the header is read.
public enum CoverPicture {
    /// Maximum number of bytes, and of pixels along a side.
    public static let (most, widest) = (4 << 20, 8192)

    /// - Throws: ``MediaError`` when a browser could not show the file at a path as its name says.
    public static func check(path: String) throws(MediaError) {
        let bytes: [UInt8]
        do { bytes = try RegularFile(path).bytes(atMost: most) } catch { throw MediaError("\(error)") }
        guard let (width, height) = size(bytes) else { throw MediaError("\(path) is not a PNG, JPEG or WebP picture. Choose another one.") }
        guard (1...widest).contains(width), (1...widest).contains(height) else {
            throw MediaError("\(path) has \(width) by \(height) pixels; at most \(widest) by \(widest) are possible. Make it smaller.")
        }
    }

    /// Width and height in pixels; nil for another kind of file.
    static func size(_ bytes: [UInt8]) -> (Int, Int)? {
        func big(_ at: Int, _ count: Int) -> Int { bytes[at..<(at + count)].reduce(0) { $0 << 8 | Int($1) } }
        func little(_ at: Int, _ count: Int) -> Int { bytes[at..<(at + count)].reversed().reduce(0) { $0 << 8 | Int($1) } }
        func has(_ text: String, _ at: Int) -> Bool { bytes.count >= at + text.utf8.count && bytes[at...].starts(with: text.utf8) }
        if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]), bytes.count >= 33, has("IHDR", 12) {
            return (big(16, 4), big(20, 4))
        }
        if has("RIFF", 0), has("WEBP", 8), bytes.count >= 30 {
            if has("VP8X", 12) { return (little(24, 3) + 1, little(27, 3) + 1) }
            if has("VP8L", 12), bytes[20] == 0x2F {
                let bits = little(21, 4)
                return (bits & 0x3FFF + 1, bits >> 14 & 0x3FFF + 1)
            }
            if has("VP8 ", 12), bytes[23...25] == [0x9D, 0x01, 0x2A] { return (little(26, 2) & 0x3FFF, little(28, 2) & 0x3FFF) }
            return nil
        }
        return bytes.starts(with: [0xFF, 0xD8, 0xFF]) ? jpeg(bytes, big) : nil
    }

    /// The size in the frame header of a JPEG file (ITU-T T.81, B.2.2).
    private static func jpeg(_ bytes: [UInt8], _ big: (Int, Int) -> Int) -> (Int, Int)? {
        var at = 2
        while at + 9 < bytes.count, bytes[at] == 0xFF {
            let marker = bytes[at + 1]
            if (0xC0...0xCF).contains(marker), ![0xC4, 0xC8, 0xCC].contains(marker) { return (big(at + 7, 2), big(at + 5, 2)) }
            // Fill bytes.
            at += marker == 0xFF ? 1 : 2 + big(at + 2, 2)
        }
        return nil
    }
}
