internal import Files

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

/// The chunks of a sound file, one after another.
struct ChunkWalk {
    struct Chunk {
        /// Its first four bytes.
        let name: String
        /// Offset of the contents.
        let body: Int
        /// Size of the contents that it states, which may be beyond the end of the file.
        let size: UInt64
    }

    let container: Container
    private let file: RegularFile

    /// Maximum number of chunks that are read.
    static let most = 4096

    /// Names at which a chunk certainly begins.
    private static let known: Set = [
        "fmt ", "data", "fact", "LIST", "bext", "iXML", "ds64", "JUNK", "junk", "FLLR", "PAD ", "cue ", "PEAK", "axml", "chna", "id3 ",
        "ID3 ", "smpl", "inst", "_PMX", "COMM", "SSND", "FVER", "NAME", "AUTH", "ANNO", "(c) ", "MARK", "INST", "CHAN",
    ]

    init(_ file: RegularFile, _ container: Container) { (self.file, self.container) = (file, container) }

    /// The chunk that begins at an offset; nil at the end of the file.
    func chunk(at place: Int) -> Chunk? {
        let head = container.nameSize + container.sizeSize
        guard let bytes = bytes(at: place, head) else { return nil }
        var size = container.number(bytes[container.nameSize...])
        // The sizes of W64 include the chunk's head.
        if container == .w64 { size = size >= UInt64(head) ? size - UInt64(head) : 0 }
        return Chunk(name: String(decoding: bytes.prefix(4), as: Unicode.ASCII.self), body: place + head, size: size)
    }

    /// Some bytes of the file; nil when it is shorter.
    func bytes(at place: Int, _ count: Int) -> [UInt8]? {
        guard count <= file.size - place else { return nil }
        var bytes = [UInt8](repeating: 0, count: count)
        return bytes.withUnsafeMutableBytes({ file.read(into: $0, at: place) }) ? bytes : nil
    }

    /// Offset of the next chunk; nil when this one ends beyond the end of the file.
    func end(of chunk: Chunk) -> Int? {
        guard chunk.size <= UInt64(file.size - chunk.body) else { return nil }
        let end = chunk.body + Int(chunk.size)
        let filled = chunk.body + filled(Int(chunk.size))
        // Some programs leave out the padding byte of a chunk of odd length.
        return container.alignment == 2 && filled > end && likelihood(end) > likelihood(filled) ? end : filled
    }

    /// The size of a chunk's contents with their padding.
    func filled(_ size: Int) -> Int { (size + container.alignment - 1) / container.alignment * container.alignment }

    /// Whether a chunk may begin at an offset: 0 for no, 2 for a known name.
    private func likelihood(_ place: Int) -> Int {
        guard let chunk = chunk(at: place) else { return 0 }
        if Self.known.contains(chunk.name) { return 2 }
        return chunk.name.utf8.allSatisfy { (0x20...0x7E).contains($0) } && chunk.size <= UInt64(file.size - chunk.body) ? 1 : 0
    }

    /// Whether chunks fill the file from an offset to its end; true at the end.
    func areChunks(from place: Int) -> Bool {
        var place = place
        for _ in 0..<Self.most {
            if place >= file.size { return true }
            guard likelihood(place) > 0, let chunk = chunk(at: place), let end = end(of: chunk) else { return false }
            place = end
        }
        return true
    }

    /// Whether a chunk begins at an offset.
    func isChunk(at place: Int) -> Bool { likelihood(place) > 0 }
}
