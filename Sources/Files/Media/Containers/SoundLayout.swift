internal import Files

/// Form and place of uncompressed sound in a file of chunks, found from the chunks themselves, whatever the sizes in its header are.
struct SoundLayout {
    /// Offset of the first sample.
    let start: Int
    /// Bytes of sound, whole frames.
    let size: Int
    let length: SoundLength
    private let container: Container
    private let format: SoundFormat
    /// Whether the file is AIFF-C.
    private let isCompressedKind: Bool

    /// Minimum number of bytes after the sound, outside of chunks, that are reported; fewer are padding and tags.
    private static let leastRest = 1024
    /// Longest format chunk.
    private static let longestFormat = 4096

    /// - Returns: nil for a file of another kind, and for compressed sound.
    init?(_ file: RegularFile) {
        var head = [UInt8](repeating: 0, count: min(40, file.size))
        guard head.withUnsafeMutableBytes({ file.read(into: $0, at: 0) }), let container = Container(head) else { return nil }
        let walk = ChunkWalk(file, container)
        var format: SoundFormat?
        var data: ChunkWalk.Chunk?
        /// The size of the sound in 64 bits, for RF64 and BW64.
        var wide: UInt64?
        var place = container.first
        for _ in 0..<ChunkWalk.most where format == nil || data == nil {
            guard let chunk = walk.chunk(at: place) else { break }
            switch chunk.name {
            case container.format where format == nil:
                guard chunk.size <= Self.longestFormat, let bytes = walk.bytes(at: chunk.body, Int(chunk.size)),
                    let found = SoundFormat(bytes, container)
                else { return nil }
                format = found
            case "ds64" where container == .rf64:
                wide = walk.bytes(at: chunk.body, 16).map { container.number($0[8...]) }
            case container.data where data == nil: data = chunk
            default: break
            }
            guard let end = walk.end(of: chunk) else { break }
            place = end
        }
        guard let format, let data else { return nil }
        var stated = data.size
        if container == .rf64, stated == 0xFFFF_FFFF || stated == 0, let wide { stated = wide }
        // Before the samples: in CAF an edit count, in AIFF an offset, a block size, and as many bytes as the offset says.
        var before = 0
        if container == .caf { before = 4 }
        if container == .aiff {
            guard let bytes = walk.bytes(at: data.body, 8) else { return nil }
            before = 8 + Int(container.number(bytes[..<4]))
        }
        guard before <= file.size - data.body else { return nil }
        start = data.body + before
        let there = file.size - start
        stated = stated > before ? stated - UInt64(before) : 0
        let (size, length) = Self.length(stated, there, walk, start: start)
        let whole = min(size, Self.most(container)) / format.frameSize * format.frameSize
        (self.size, self.length) = (whole, whole > 0 ? length : .asStated)
        (self.container, self.format) = (container, format)
        isCompressedKind = head.count > 11 && head[11] == UInt8(ascii: "C")
    }

    /// - Parameters:
    ///   - stated: bytes of sound that the header states.
    ///   - there: bytes from the first sample to the end of the file.
    private static func length(_ stated: UInt64, _ there: Int, _ walk: ChunkWalk, start: Int) -> (size: Int, SoundLength) {
        if stated == 0 { return walk.areChunks(from: start) ? (0, .asStated) : (there, .unstated(isZero: true)) }
        guard stated <= UInt64(there) else {
            let isUnstated = walk.container.isPlaceholder(stated)
            return (there, isUnstated ? .unstated(isZero: false) : .cut(stated: Int(clamping: stated), there: there, unit: "byte"))
        }
        let size = Int(stated)
        let rest = there - size
        guard rest >= leastRest else { return (size, .asStated) }
        let filled = start + walk.filled(size)
        if walk.isChunk(at: filled) || walk.isChunk(at: start + size) { return (size, .asStated) }
        if walk.container == .wave, rest.isMultiple(of: 1 << 32) { return (there, .wrapped) }
        return (size, isSilent(walk, filled) ? .asStated : .followed(bytes: rest))
    }

    /// Whether only zeros follow; disks and programs pad files with them.
    private static func isSilent(_ walk: ChunkWalk, _ place: Int) -> Bool {
        walk.bytes(at: place, leastRest / 2)?.allSatisfy { $0 == 0 } ?? true
    }

    /// Largest size of the sound in a file of this kind.
    private static func most(_ container: Container) -> Int {
        // Formats without 64-bit sizes have no header for more.
        container == .rifx || container == .aiff ? 0xFFFF_0000 : 1 << 48
    }

    var frames: Int { size / format.frameSize }

    /// A header of the same format that states the true length, and that the sound follows at once.
    var header: [UInt8] {
        func text(_ text: String) -> [UInt8] { Array(text.utf8) }
        func chunk(_ name: String, _ body: [UInt8]) -> [UInt8] {
            text(name) + container.bytes(body.count, container.sizeSize) + body
                + [UInt8](repeating: 0, count: container.alignment == 2 ? body.count % 2 : 0)
        }
        switch container {
        case .wave, .rf64, .w64, .rifx:
            // W64 has the same format chunk as WAV.
            let wave = container == .rifx ? container : .wave
            let filler = [UInt8](repeating: 0, count: format.bytes.count % 2)
            let form = text("fmt ") + wave.bytes(format.bytes.count, 4) + format.bytes + filler
            let riffSize = 4 + form.count + 8 + size
            if riffSize < 0xFFFF_FFFF {
                let name = container == .rifx ? "RIFX" : "RIFF"
                return text(name) + wave.bytes(riffSize, 4) + text("WAVE") + form + text("data") + wave.bytes(size, 4)
            }
            let unstated = [UInt8](repeating: 0xFF, count: 4)
            let sizes = wave.bytes(riffSize + 36, 8) + wave.bytes(size, 8) + wave.bytes(frames, 8) + wave.bytes(0, 4)
            return text("RF64") + unstated + text("WAVEds64") + wave.bytes(sizes.count, 4) + sizes + form + text("data") + unstated
        case .aiff:
            var common = format.bytes
            common.replaceSubrange(2..<6, with: container.bytes(frames, 4))
            let rest = text(isCompressedKind ? "AIFC" : "AIFF") + chunk("COMM", common)
            let sound = text("SSND") + container.bytes(size + 8, 4) + container.bytes(0, 8)
            return text("FORM") + container.bytes(rest.count + sound.count + size, 4) + rest + sound
        case .caf:
            return text("caff") + container.bytes(1, 2) + container.bytes(0, 2) + chunk("desc", format.bytes) + text("data")
                + container.bytes(size + 4, 8) + container.bytes(0, 4)
        }
    }
}

/// The format chunk of uncompressed sound, and what has to be known of it to find the end of the sound.
struct SoundFormat {
    /// Contents of the chunk.
    let bytes: [UInt8]
    /// Bytes of a frame.
    let frameSize: Int

    /// - Returns: nil for compressed sound, whose length does not follow from its size.
    init?(_ bytes: [UInt8], _ container: Container) {
        func number(_ place: Int, _ count: Int) -> Int { Int(clamping: container.number(bytes[place..<place + count])) }
        func name(_ place: Int) -> String { String(decoding: bytes[place..<place + 4], as: Unicode.ASCII.self) }
        let frameSize: Int
        switch container {
        case .wave, .rifx, .rf64, .w64:
            guard bytes.count >= 16 else { return nil }
            // The first field of an extensible format's subformat is the format of the samples.
            let tag = number(0, 2) == 0xFFFE && bytes.count >= 26 ? number(24, 2) : number(0, 2)
            guard Self.plainTags.contains(tag) else { return nil }
            frameSize = number(12, 2) > 0 ? number(12, 2) : number(2, 2) * ((number(14, 2) + 7) / 8)
        case .aiff:
            guard bytes.count >= 18 else { return nil }
            let kind = bytes.count >= 22 ? name(18) : "NONE"
            guard let size = Self.plainKinds[kind] else { return nil }
            frameSize = number(0, 2) * (size > 0 ? size : (number(6, 2) + 7) / 8)
        case .caf:
            guard bytes.count >= 32, ["lpcm", "ulaw", "alaw"].contains(name(8)), number(20, 4) == 1 else { return nil }
            frameSize = number(16, 4)
        }
        guard (1...SoundHeader.channelCounts.upperBound * 8).contains(frameSize) else { return nil }
        (self.bytes, self.frameSize) = (bytes, frameSize)
    }

    /// PCM, float, A-law and µ-law in WAV files.
    private static let plainTags: Set = [1, 3, 6, 7]

    /// Uncompressed kinds of AIFF-C with the bytes of a sample; 0 where these follow from the bits.
    private static let plainKinds = [
        "NONE": 0, "twos": 0, "sowt": 0, "raw ": 0, "in24": 3, "42ni": 3, "in32": 4, "23ni": 4, "fl32": 4, "FL32": 4, "fl64": 8, "FL64": 8,
        "ulaw": 1, "ULAW": 1, "alaw": 1, "ALAW": 1,
    ]
}

/// The relation between the length of the sound that a file's header states and the sound that is there.
enum SoundLength: Equatable {
    case asStated
    /// The header states no length: 0, or the largest possible one. Everything up to the end of the file is sound.
    case unstated(isZero: Bool)
    /// The header states more than is there, in bytes or frames.
    case cut(stated: Int, there: Int, unit: String)
    /// The size does not fit into 32 bits, and the header states its lower 32.
    case wrapped
    /// Bytes follow the stated end that belong to no chunk.
    case followed(bytes: Int)

    /// The fault of a file with less sound than its header states; nil for others.
    func cut(_ path: String) -> String? {
        guard case .cut(let stated, let there, let unit) = self else { return nil }
        return "\(path) is truncated: its header announces \(counted(stated, unit)) of sound, the file has \(there)."
    }

    /// - Parameters:
    ///   - bytes: the size of the sound that is played.
    ///   - seconds: its duration.
    func warning(_ path: String, bytes: Int, seconds: Double) -> String? {
        let seconds = (seconds * 1000).rounded() / 1000
        let all = "All \(counted(bytes, "byte")) (\(seconds) s) are played."
        switch self {
        case .asStated: return nil
        case .unstated(isZero: true):
            return "\(path) was not finished by its recorder: its header states 0 bytes of sound. \(all)"
        case .unstated(isZero: false):
            return "\(path) has no length in its header: it was written to a pipe, or not finished by its recorder. \(all)"
        case .cut: return cut(path).map { "\($0) The available \(seconds) s are played." }
        case .wrapped:
            return "\(path) is larger than its header can state: WAV has 32 bits for the size, RF64 has 64. \(all)"
        case .followed(let more):
            return "\(path) goes on for \(counted(more, "byte")) after the end of the sound that its header states. They may be sound, "
                + "but are not played, only the stated \(seconds) s."
        }
    }
}
