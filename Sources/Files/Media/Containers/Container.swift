/// A kind of sound file that is made of chunks, and the form of its chunks.
enum Container {
    case wave, rifx, rf64, w64, aiff, caf

    /// - Parameter head: the first 40 bytes of a file, or fewer of a shorter one.
    init?(_ head: [UInt8]) {
        func has(_ text: String, at place: Int) -> Bool { head.dropFirst(place).starts(with: text.utf8) }
        if has("WAVE", at: 8) {
            if has("RIFF", at: 0) {
                self = .wave
            } else if has("RIFX", at: 0) {
                self = .rifx
            } else if has("RF64", at: 0) || has("BW64", at: 0) {
                self = .rf64
            } else {
                return nil
            }
        } else if has("riff", at: 0), has("wave", at: 24) {
            self = .w64
        } else if has("FORM", at: 0), has("AIFF", at: 8) || has("AIFC", at: 8) {
            self = .aiff
        } else if has("caff", at: 0) {
            self = .caf
        } else {
            return nil
        }
    }

    /// Offset of the first chunk.
    var first: Int { self == .w64 ? 40 : self == .caf ? 8 : 12 }
    /// Bytes of a chunk's name, of which the first four are read.
    var nameSize: Int { self == .w64 ? 16 : 4 }
    /// Bytes of a chunk's size.
    var sizeSize: Int { self == .w64 || self == .caf ? 8 : 4 }
    /// Alignment of chunks in bytes, to which their contents are padded.
    var alignment: Int { self == .w64 ? 8 : self == .caf ? 1 : 2 }
    var isBigEndian: Bool { self == .rifx || self == .aiff || self == .caf }

    /// Name of the chunk with the format of the sound.
    var format: String { self == .aiff ? "COMM" : self == .caf ? "desc" : "fmt " }
    /// Name of the chunk with the sound.
    var data: String { self == .aiff ? "SSND" : "data" }

    /// Whether a size is a placeholder beyond the end of the file, as programs write that do not know the size, for example into a pipe.
    func isPlaceholder(_ size: UInt64) -> Bool {
        if size >= 1 << 62 { return true }
        return [0x7FFF_F000...0x8000_0100, 0xFFFF_F000...0xFFFF_FFFF].contains { $0.contains(size) }
    }

    /// The number in some bytes.
    func number(_ bytes: ArraySlice<UInt8>) -> UInt64 {
        (isBigEndian ? Array(bytes) : bytes.reversed()).reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// The bytes of a number, cut to its lowest ones.
    func bytes(_ number: Int, _ count: Int) -> [UInt8] {
        let little = (0..<count).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
        return isBigEndian ? little.reversed() : little
    }
}
