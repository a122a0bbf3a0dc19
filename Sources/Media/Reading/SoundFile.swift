internal import CRealtime
internal import CSndFile
internal import Files
internal import Glibc

/// An open sound file of any number of channels, read as 32-bit floats.
///
/// Formats are those of libsndfile: WAV, RF64, W64, CAF, AIFF, and FLAC with at most 8 channels.
/// For one thread at a time.
final class SoundFile {
    let path: String
    let channels: Int
    /// Frames per second.
    let rate: Int
    /// Number of frames that can be read; in a truncated file, those that exist.
    let frames: Int
    /// Warnings about a file that can be played nevertheless.
    private(set) var warnings: [String] = []
    private let handle: OpaquePointer
    /// Longer than any recording: libsndfile's value for a file of unknown length.
    private static let unknownLength = 1 << 48
    /// Number of samples read so far that ``SampleLimit`` has changed, each counted once however often it is read.
    private(set) var limited = 0
    /// The same with a warning.
    var limitedSamples: LimitedSamples { LimitedSamples(path: path, count: limited) }
    /// Frames with such samples around them, which are counted already.
    private var counted = RangeSet<Int>()
    /// Frame at which the next read begins.
    private var position = 0
    /// The file that libsndfile reads.
    let file: RegularFile

    /// - Throws: ``MediaError`` when this is not a regular file, no sound file, or its header is out of the ``SoundHeader``'s limits.
    init(path: String) throws(MediaError) {
        do { file = try RegularFile(path) } catch {
            throw MediaError("\(path) cannot be opened: \(error.reason); \(error.remedy).")
        }
        var info = SF_INFO()
        guard let handle = SoundHandle.open(file.descriptor, mode: SFM_READ, &info) else {
            throw Self.refusal(path, String(cString: sf_strerror(nil)))
        }
        self.path = path
        self.handle = handle
        channels = Int(info.channels)
        rate = Int(info.samplerate)
        frames = Int(info.frames)
        try examine(info)
    }

    deinit { sf_close(handle) }

    /// Reads up to `count` interleaved frames; fewer only at the end. Samples are limited by ``SampleLimit``.
    func read(into target: UnsafeMutablePointer<Float>, frames count: Int) throws(MediaError) -> Int {
        let got = Int(sf_readf_float(handle, target, sf_count_t(count)))
        if sf_error(handle) != 0 {
            throw MediaError(
                "\(path) cannot be read further: \(reason). Check the disk, and whether the file has changed.")
        }
        limit(target, frames: got)
        position += got
        return got
    }

    /// Limits the samples of `count` frames from ``position``, and counts those that were not counted before.
    private func limit(_ samples: UnsafeMutablePointer<Float>, frames count: Int) {
        let frames = position..<position + count
        let known = counted.intersection(RangeSet(frames))
        for part in known.ranges { _ = limit(samples, part) }
        for part in RangeSet(frames).subtracting(known).ranges {
            let faults = limit(samples, part)
            if faults > 0 { counted.insert(contentsOf: part) }
            limited += faults
        }
    }

    private func limit(_ samples: UnsafeMutablePointer<Float>, _ part: Range<Int>) -> Int {
        rt_limit_samples(samples + (part.lowerBound - position) * channels, part.count * channels)
    }

    func seek(frame: Int) throws(MediaError) {
        guard sf_seek(handle, sf_count_t(frame), Int32(SEEK_SET)) == sf_count_t(frame) else {
            throw MediaError(
                "\(path) cannot be read at frame \(frame): \(reason). Check the disk, and whether the file has changed."
            )
        }
        position = frame
    }

    /// Whether the header of a WAV file states B-format.
    var statesBFormat: Bool { sf_command(handle, Int32(SFC_WAVEX_GET_AMBISONIC), nil, 0) == Int32(SF_AMBISONIC_B_FORMAT) }

    private var reason: String { String(cString: sf_strerror(handle)) }

    private func examine(_ info: SF_INFO) throws(MediaError) {
        guard info.seekable != 0 else {
            throw MediaError("\(path) does not support seeking, which playback needs. Copy it to a regular file first.")
        }
        guard frames > 0 else {
            throw MediaError("\(path) contains no sound: it has a header, but its length is 0 frames. Record it again.")
        }
        guard frames < Self.unknownLength else {
            throw MediaError("\(path) has no known length. Convert it to WAV or RF64.")
        }
        try SoundHeader(info, size: file.size).check(path)
        if Int(info.format) & Int(SF_FORMAT_TYPEMASK) == Int(SF_FORMAT_FLAC) { try readLastFrame() }
        if let bytes = announcedAndActualSize() {
            let seconds = (Double(frames) / Double(rate) * 1000).rounded() / 1000
            warnings.append(
                "\(path) is truncated: its header announces \(bytes.announced) bytes, the file has \(bytes.there). "
                    + "The available \(seconds) s are played.")
        }
    }

    /// Reads the last frame: FLAC has no frame index, so truncation shows only when the end is read.
    private func readLastFrame() throws(MediaError) {
        let spare = UnsafeMutablePointer<Float>.allocate(capacity: channels)
        defer { spare.deallocate() }
        let place = sf_seek(handle, sf_count_t(frames - 1), Int32(SEEK_SET))
        guard place >= 0, sf_readf_float(handle, spare, 1) == 1 else {
            throw MediaError(
                "\(path) is truncated or damaged: the last of its \(frames) frames cannot be read. Copy it again.")
        }
        try seek(frame: 0)
    }

    /// The size in the container's header and that of the file, if the header's is larger.
    /// libsndfile corrects the length by itself and reports this only in its log.
    private func announcedAndActualSize() -> (announced: Int, there: Int)? {
        var log = [CChar](repeating: 0, count: 16384)
        sf_command(handle, Int32(SFC_GET_LOG_INFO), &log, Int32(log.count))
        let text = String(decoding: log.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        // A program that writes to a pipe writes about the largest possible size, since the actual one is unknown.
        let placeholders = [0x7FFF_F000...0x8000_0100, 0xFFFF_F000...0xFFFF_FFFF]
        var there = 0
        for line in text.split(separator: "\n") {
            let words = line.split(separator: ":", maxSplits: 1).map { $0.trimmingSpaces() }
            guard words.count == 2, let number = Int(words[1].prefix { $0.isNumber }) else { continue }
            switch words[0] {
            case "Length": there = number
            case "RIFF", "RIFX", "FORM", "riff", "Riff size", "data", "Data size", "SSND":
                if number > there && !placeholders.contains(where: { $0.contains(number) }) { return (number, there) }
            default: continue
            }
        }
        return nil
    }

    private static func refusal(_ path: String, _ reason: String) -> MediaError {
        MediaError(
            "\(path) is not a readable sound file (\(reason)). "
                + "Use WAV, RF64, W64, CAF, AIFF or, up to 8 channels, FLAC; copy a truncated file again."
        )
    }
}

extension Substring {
    fileprivate func trimmingSpaces() -> Substring {
        let start = drop { $0 == " " }
        guard let last = start.lastIndex(where: { $0 != " " }) else { return start }
        return start[...last]
    }
}
