internal import Files

/// Recognises files that are no sound file which this program reads, so that the error names what they are and how to convert them.
enum ForeignFile {
    /// The error for a file that libsndfile does not open.
    /// - Parameter reason: libsndfile's.
    static func refusal(_ file: RegularFile, _ reason: String) -> MediaError {
        var bytes = [UInt8](repeating: 0, count: min(4096, file.size))
        let isRead = bytes.withUnsafeMutableBytes { file.read(into: $0, at: 0) }
        let found = isRead ? finding(bytes, size: file.size) : nil
        if let found { return MediaError("\(file.path) is not a readable sound file: \(found.what). \(found.remedy.sentence(file.path))") }
        let clause = reason.hasSuffix(".") ? String(reason.dropLast()) : reason
        return MediaError(
            "\(file.path) is not a readable sound file (\(clause)). Use WAV, RF64, BW64, W64, CAF, AIFF or, up to 8 channels, FLAC. "
                + Remedy.convert.sentence(file.path))
    }

    private struct Finding {
        /// A clause: "it is a web page (HTML)".
        let what: String
        let remedy: Remedy
    }

    private enum Remedy {
        case convert, other, download, copy, fetch

        func sentence(_ path: String) -> String {
            switch self {
            case .convert: "Convert it, for example with: ffmpeg -i \(Self.quoted(path)) out.wav"
            case .other: "Name a sound file."
            case .download: "Download the sound itself again."
            case .copy: "Copy it again."
            case .fetch: "Fetch the file with: git lfs pull"
            }
        }

        private static func quoted(_ path: String) -> String {
            let isPlain = path.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && !#""'\$`&;|<>()*?[]{}!#~"#.utf8.contains($0) }
            return isPlain ? path : "'" + path.split(separator: "'", omittingEmptySubsequences: false).joined(separator: #"'\''"#) + "'"
        }
    }

    private static func finding(_ bytes: [UInt8], size: Int) -> Finding? {
        guard size > 0 else { return Finding(what: "it is empty (0 bytes)", remedy: .other) }
        if let container = Container(bytes) {
            if let codec = codec(bytes, container) {
                return Finding(what: "its sound is \(codec), which this program does not read", remedy: .convert)
            }
            return bytes.count < 4096 && isHeaderOnly(bytes, container)
                ? Finding(what: "it ends within its header, after \(counted(size, "byte"))", remedy: .copy) : nil
        }
        if let kind = signatures.first(where: { bytes.dropFirst($0.place).starts(with: $0.bytes) }) {
            return Finding(what: "it is \(kind.name)", remedy: kind.isSound ? .convert : .other)
        }
        if bytes.allSatisfy({ $0 == 0 }) {
            return Finding(what: "its first \(counted(bytes.count, "byte")) are all 0, so it has no header", remedy: .other)
        }
        return text(bytes)
    }

    /// Whether the file ends before its sound begins.
    private static func isHeaderOnly(_ bytes: [UInt8], _ container: Container) -> Bool {
        !String(decoding: bytes, as: Unicode.ASCII.self).contains(container.data)
    }

    // MARK: Kinds

    private struct Signature {
        let name: String
        let place: Int
        let bytes: [UInt8]
        let isSound: Bool

        init(_ name: String, _ text: String, at place: Int = 0, isSound: Bool = true) {
            (self.name, self.place, bytes, self.isSound) = (name, place, Array(text.utf8), isSound)
        }

        init(_ name: String, bytes: [UInt8], isSound: Bool = true) {
            (self.name, place, self.bytes, self.isSound) = (name, 0, bytes, isSound)
        }
    }

    private static let signatures = [
        Signature("an MP4 or QuickTime file (such as M4A with AAC or Apple Lossless)", "ftyp", at: 4),
        Signature("a DSD file (DSF)", "DSD "), Signature("a DSD file (DSDIFF)", "FRM8"),
        Signature("an MP3 file, or one with an ID3 tag, that cannot be read here", "ID3"),
        Signature("an AAC file (ADTS)", bytes: [0xFF, 0xF1]), Signature("an AAC file (ADTS)", bytes: [0xFF, 0xF9]),
        Signature("an AC-3 file", bytes: [0x0B, 0x77]), Signature("a WMA file", bytes: [0x30, 0x26, 0xB2, 0x75]),
        Signature("a WavPack file", "wvpk"), Signature("a Monkey's Audio file", "MAC "),
        Signature("a Matroska or WebM file", bytes: [0x1A, 0x45, 0xDF, 0xA3]), Signature("an AVI file", "AVI ", at: 8),
        Signature("an Ogg file of a kind that this program does not read", "OggS"),
        Signature("a DTS file", bytes: [0x7F, 0xFE, 0x80, 0x01]),
        Signature("an HDF5 file (such as SOFA)", bytes: [0x89] + Array("HDF".utf8), isSound: false),
        Signature("a ZIP archive; unpack it", bytes: [0x50, 0x4B, 3, 4], isSound: false),
        Signature("a gzip archive; unpack it", bytes: [0x1F, 0x8B], isSound: false),
        Signature("a 7-Zip archive; unpack it", bytes: [0x37, 0x7A, 0xBC, 0xAF], isSound: false),
        Signature("a RAR archive; unpack it", "Rar!", isSound: false), Signature("a PDF document", "%PDF", isSound: false),
        Signature("a picture (PNG)", bytes: [0x89, 0x50, 0x4E, 0x47], isSound: false),
        Signature("a picture (JPEG)", bytes: [0xFF, 0xD8, 0xFF], isSound: false),
        Signature("the second file that macOS keeps beside each on foreign disks (AppleDouble)", bytes: [0, 5, 0x16, 7], isSound: false),
    ]

    private static func text(_ bytes: [UInt8]) -> Finding? {
        // The last character may be cut.
        let isText = (0..<4).contains { String(validating: bytes.dropLast($0), as: UTF8.self) != nil }
        guard isText, !bytes.contains(where: { $0 < 32 && !(9...13).contains($0) && $0 != 27 }) else { return nil }
        let begin = String(decoding: bytes.prefix(512), as: UTF8.self).drop { $0.isWhitespace || $0 == "\u{FEFF}" }.lowercased()
        if begin.hasPrefix("version https://git-lfs") {
            return Finding(what: "it is a pointer of Git LFS, not the file itself", remedy: .fetch)
        }
        if begin.hasPrefix("<!doctype html") || begin.hasPrefix("<html") || begin.contains("<html") {
            return Finding(what: "it is a web page (HTML), such as one that a server sends in place of a file", remedy: .download)
        }
        return Finding(what: "it is a text file", remedy: .other)
    }

    // MARK: Codecs

    /// The codec of a container that this program cannot decode; nil for others.
    private static func codec(_ bytes: [UInt8], _ container: Container) -> String? {
        func number(_ place: Int, _ count: Int) -> Int { Int(clamping: container.number(bytes[place..<place + count])) }
        func name(_ place: Int) -> String { String(decoding: bytes[place..<place + 4], as: Unicode.ASCII.self) }
        guard let place = place(of: container.format, in: bytes), place + 32 < bytes.count else { return nil }
        switch container {
        case .wave, .rifx, .rf64, .w64:
            let body = place + container.nameSize + container.sizeSize
            guard body + 26 <= bytes.count else { return nil }
            let tag = number(body, 2) == 0xFFFE ? number(body + 24, 2) : number(body, 2)
            guard !readTags.contains(tag) else { return nil }
            let code = "0x" + String(tag, radix: 16, uppercase: true)
            return tags[tag] ?? "compressed with the WAVE format \(code)"
        case .caf:
            let kind = name(place + 12 + 8)
            return readKinds.contains(kind) ? nil : (kind.hasPrefix("aac") ? "AAC" : "\"\(shown(kind))\"")
        case .aiff:
            let kind = name(place + 8 + 18)
            guard bytes[11] == UInt8(ascii: "C"), !readKinds.contains(kind) else { return nil }
            return "\"\(shown(kind))\""
        }
    }

    private static func shown(_ kind: String) -> String {
        String(String.UnicodeScalarView(kind.unicodeScalars.filter { (0x21...0x7E).contains($0.value) }))
    }

    private static func place(of name: String, in bytes: [UInt8]) -> Int? {
        let name = Array(name.utf8)
        return bytes.indices.first { bytes[$0...].starts(with: name) }
    }

    /// Formats of WAV files that libsndfile reads, wholly or for some numbers of channels.
    private static let readTags: Set = [1, 2, 3, 6, 7, 0x11, 0x31, 0x40, 0x45, 0x55, 0x64, 0x65]
    private static let readKinds: Set = [
        "lpcm", "ulaw", "alaw", "ULAW", "ALAW", "alac", "NONE", "twos", "sowt", "raw ", "in24", "42ni", "in32", "23ni", "fl32", "FL32",
        "fl64", "FL64", "ima4", "GSM ", "DWVW",
    ]
    private static let tags = [
        0x50: "MPEG audio", 0xFF: "AAC", 0x160: "WMA", 0x161: "WMA", 0x162: "WMA Professional", 0x163: "WMA Lossless", 0x1610: "AAC",
        0x2000: "AC-3", 0x2001: "DTS", 0x674F: "Ogg Vorbis", 0xF1AC: "FLAC", 0x704F: "Opus",
    ]
}
