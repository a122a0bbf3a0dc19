internal import Files

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
