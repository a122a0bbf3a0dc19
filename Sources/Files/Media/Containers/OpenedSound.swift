internal import CSndFile
internal import Files
internal import Glibc

/// A sound file that libsndfile has opened, as it is or with a header that states its true length.
///
/// Recorders that lose their power leave sizes of 0, programs that write to a pipe the largest ones, and others leave out fillers. Where
/// libsndfile refuses such a file, or reads another length than the file has, it is given a header that is right (``SoundLayout``,
/// ``FlacEnd``). The file itself stays as it is.
final class OpenedSound {
    let handle: OpaquePointer
    let info: SF_INFO
    /// Warnings about a file that can be played nevertheless.
    private(set) var warnings: [String] = []
    /// The fault of a file whose header announces more sound than there is; nil for others.
    private(set) var cut: String?
    /// Whether the recorder or a copy was interrupted, as far as the header shows.
    private(set) var isInterrupted = false
    let file: RegularFile
    /// The file that the handle reads; nil where it reads the descriptor.
    private let source: PiecedFile?

    /// Longer than any recording: libsndfile's value for a file of unknown length.
    private static let unknownLength = 1 << 48

    /// - Throws: ``MediaError`` when this is no sound file, has no sound, or its header is out of the ``SoundHeader``'s limits.
    init(_ file: RegularFile) throws(MediaError) {
        self.file = file
        let layout = SoundLayout(file)
        let end: FlacEnd?
        var hasEnd = true
        var info = SF_INFO()
        var handle = SoundHandle.open(file.descriptor, mode: SFM_READ, &info)
        let reason = String(cString: sf_strerror(nil))
        if let layout, handle == nil || Int(info.frames) != layout.frames {
            (handle, source) = Self.open(layout.header, file, layout.start..<layout.start + layout.size, instead: handle, &info)
            end = nil
        } else if let opened = handle, Self.isFlac(info), !Self.hasLastFrame(opened, info) {
            end = FlacEnd(file)
            if let end {
                (handle, source) = Self.open(end.header, file, end.header.count..<end.end, instead: opened, &info)
            } else {
                source = nil
            }
            hasEnd = end != nil && handle.map { Self.hasLastFrame($0, info) } == true
        } else {
            (source, end) = (nil, nil)
        }
        guard let handle else { throw ForeignFile.refusal(file, reason) }
        (self.handle, self.info) = (handle, info)
        try check(hasEnd: hasEnd)
        if let layout {
            tell(layout.length, bytes: layout.size)
        } else if let end {
            let isStated = end.stated > 0 && end.stated < Self.unknownLength
            tell(
                isStated ? .cut(stated: end.stated, there: end.frames, unit: "frame") : .unstated(isZero: false),
                bytes: end.end)
        } else {
            tell(loggedLength(), bytes: file.size)
        }
    }

    deinit { sf_close(handle) }

    /// Opens a file with another header, and closes what was opened before.
    private static func open(
        _ header: [UInt8], _ file: RegularFile, _ part: Range<Int>, instead handle: OpaquePointer?, _ info: inout SF_INFO
    ) -> (OpaquePointer?, PiecedFile?) {
        if let handle { sf_close(handle) }
        let source = PiecedFile(header: header, file, part: part)
        info = SF_INFO()
        return (SoundHandle.read(source, &info), source)
    }

    private static func isFlac(_ info: SF_INFO) -> Bool { Int(info.format) & Int(SF_FORMAT_TYPEMASK) == Int(SF_FORMAT_FLAC) }

    /// Reads the last frame: FLAC has no frame index, so truncation shows only when the end is read.
    private static func hasLastFrame(_ handle: OpaquePointer, _ info: SF_INFO) -> Bool {
        guard (1...SoundHeader.channelCounts.upperBound).contains(Int(info.channels)), info.frames < unknownLength else { return false }
        let spare = UnsafeMutablePointer<Float>.allocate(capacity: Int(info.channels))
        defer { spare.deallocate() }
        return sf_seek(handle, info.frames - 1, Int32(SEEK_SET)) >= 0 && sf_readf_float(handle, spare, 1) == 1
            && sf_seek(handle, 0, Int32(SEEK_SET)) == 0
    }

    private func check(hasEnd: Bool) throws(MediaError) {
        let path = file.path
        guard info.seekable != 0 else {
            throw MediaError("\(path) does not support seeking, which playback needs. Copy it to a regular file first.")
        }
        guard info.frames > 0 else {
            throw MediaError("\(path) contains no sound: it has a header, but no samples follow it. Name another file.")
        }
        guard info.frames < Self.unknownLength else {
            throw MediaError("\(path) has no known length. Convert it to WAV or RF64.")
        }
        try SoundHeader(info, size: file.size).check(path)
        guard hasEnd else {
            throw MediaError(
                "\(path) is truncated or damaged: the last of its \(info.frames) frames cannot be decoded, and no whole block of samples "
                    + "is before it. Copy it again.")
        }
    }

    private func tell(_ length: SoundLength, bytes: Int) {
        cut = length.cut(file.path)
        switch length {
        case .cut, .unstated: isInterrupted = true
        case .asStated, .wrapped, .followed: break
        }
        if let warning = length.warning(file.path, bytes: bytes, seconds: Double(info.frames) / Double(info.samplerate)) {
            warnings.append(warning)
        }
    }

    /// The length of compressed sound: libsndfile corrects it by itself and reports this only in its log.
    private func loggedLength() -> SoundLength {
        var log = [CChar](repeating: 0, count: 16384)
        sf_command(handle, Int32(SFC_GET_LOG_INFO), &log, Int32(log.count))
        let text = String(decoding: log.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        var there = 0
        for line in text.split(separator: "\n") {
            let words = line.split(separator: ":", maxSplits: 1).map { $0.trimmingSpaces() }
            guard words.count == 2, let number = Int(words[1].prefix { $0.isNumber }) else { continue }
            switch words[0] {
            case "Length": there = number
            case "RIFF", "RIFX", "FORM", "riff", "Riff size", "data", "Data size", "SSND":
                if number > there && !Container.wave.isPlaceholder(UInt64(number)) {
                    return .cut(stated: number, there: there, unit: "byte")
                }
            default: continue
            }
        }
        return .asStated
    }
}

extension Substring {
    fileprivate func trimmingSpaces() -> Substring {
        let start = drop { $0 == " " }
        guard let last = start.lastIndex(where: { $0 != " " }) else { return start }
        return start[...last]
    }
}

/// The numbers in a sound file's header, which are checked before anything is sized by them.
struct SoundHeader {
    let rate: Int
    let channels: Int
    let frames: Int
    /// Bytes per sample of one channel; nil for compressed sound.
    let sampleSize: Int?
    /// Size of the file in bytes.
    let size: Int

    /// Frames per second.
    static let rates = 8_000...768_000
    static let channelCounts = 1...1024
    /// Frames that a byte of compressed sound may hold: a FLAC frame of constant samples holds 65,535 in about 12 bytes.
    static let mostFramesPerByte = 8192

    init(_ info: SF_INFO, size: Int) {
        (rate, channels, frames) = (Int(info.samplerate), Int(info.channels), Int(info.frames))
        let type = Int(info.format) & Int(SF_FORMAT_TYPEMASK)
        let isPlain = type != Int(SF_FORMAT_FLAC) && type != Int(SF_FORMAT_OGG)
        sampleSize = isPlain ? Self.sampleSizes[Int(info.format) & Int(SF_FORMAT_SUBMASK)] : nil
        self.size = size
    }

    private static let sampleSizes = [
        Int(SF_FORMAT_PCM_S8): 1, Int(SF_FORMAT_PCM_U8): 1, Int(SF_FORMAT_ULAW): 1, Int(SF_FORMAT_ALAW): 1,
        Int(SF_FORMAT_PCM_16): 2, Int(SF_FORMAT_PCM_24): 3, Int(SF_FORMAT_PCM_32): 4, Int(SF_FORMAT_FLOAT): 4,
        Int(SF_FORMAT_DOUBLE): 8,
    ]

    /// - Throws: ``MediaError`` naming the first number out of its range.
    func check(_ path: String) throws(MediaError) {
        guard Self.rates.contains(rate) else {
            throw MediaError(
                "\(path) has a sample rate of \(rate) Hz, but it must be \(Self.rates.lowerBound) to \(Self.rates.upperBound) Hz. "
                    + "Convert it, or export it again.")
        }
        guard Self.channelCounts.contains(channels) else {
            throw MediaError("\(path) has \(channels) channels, but a sound file may have 1 to \(Self.channelCounts.upperBound).")
        }
        let most = sampleSize.map { size / ($0 * channels) } ?? size * Self.mostFramesPerByte
        guard frames <= most else {
            throw MediaError(
                "\(path) is damaged: its header announces \(frames) frames, but its \(size) bytes hold at most \(most). "
                    + "Copy it again, or export it again.")
        }
    }
}
