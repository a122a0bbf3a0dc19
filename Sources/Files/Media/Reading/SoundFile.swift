internal import CRealtime
internal import CSndFile
internal import Files
internal import Glibc

/// An open sound file of any number of channels, read as 32-bit floats.
///
/// Formats are those of libsndfile: WAV, RF64, W64, CAF, AIFF, and FLAC with at most 8 channels; BW64 is read as RF64 is. A file whose
/// header states a wrong length is read to the end of its sound (``OpenedSound``).
/// For one thread at a time.
final class SoundFile {
    let path: String
    let channels: Int
    /// Frames per second.
    let rate: Int
    /// Number of frames that can be read; in a truncated file, those that exist.
    let frames: Int
    /// Warnings about a file that can be played nevertheless.
    let warnings: [String]
    /// The fault of a file whose header announces more sound than there is; nil for others.
    let cut: String?
    /// Whether the recorder or a copy was interrupted, as far as the header shows.
    let isInterrupted: Bool
    private let handle: OpaquePointer
    /// Number of samples read so far that ``SampleLimit`` has changed, each counted once however often it is read.
    private(set) var limited = 0
    /// The same with a warning.
    var limitedSamples: LimitedSamples { LimitedSamples(path: path, count: limited) }
    /// Frames whose limited samples are counted already.
    private var counted = RangeSet<Int>()
    /// Frame at which the next read begins.
    private var position = 0
    /// The file that libsndfile reads, and the header that it has in place of the file's.
    private let opened: OpenedSound
    /// The file itself.
    var file: RegularFile { opened.file }

    /// - Throws: ``MediaError`` when this is not a regular file, no sound file, or its header is out of the ``SoundHeader``'s limits.
    init(path: String) throws(MediaError) {
        let file: RegularFile
        do { file = try RegularFile(path) } catch {
            throw MediaError("\(path) cannot be opened: \(error.reason); \(error.remedy).")
        }
        opened = try OpenedSound(file)
        self.path = path
        handle = opened.handle
        channels = Int(opened.info.channels)
        rate = Int(opened.info.samplerate)
        frames = Int(opened.info.frames)
        (cut, isInterrupted) = (opened.cut, opened.isInterrupted)
        warnings = opened.warnings
    }

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
}

/// Size and form of a sound file.
public struct SoundFacts: Sendable, Equatable {
    public let channels: Int
    /// Frames per second.
    public let rate: Int
    /// Frames that can be read.
    public let frames: Int
    /// Warnings about a file that can be played nevertheless, such as one that is cut short.
    public let warnings: [String]

    /// - Throws: ``MediaError`` when this is not a sound file that the program reads.
    public init(path: String) throws(MediaError) {
        let file = try SoundFile(path: path)
        (channels, rate, frames, warnings) = (file.channels, file.rate, file.frames, file.warnings)
    }
}

/// The samples of a sound file of any number of channels, piece by piece.
public enum SoundPieces {
    private static let frames = 8192

    /// Reads a whole file.
    /// - Parameter body: called with interleaved samples, and the numbers of frames and channels.
    public static func read(
        path: String, _ body: (_ samples: UnsafePointer<Float>, _ frames: Int, _ channels: Int) -> Void
    ) throws(MediaError) {
        let file = try SoundFile(path: path)
        let samples = UnsafeMutablePointer<Float>.allocate(capacity: frames * file.channels)
        defer { samples.deallocate() }
        while true {
            let count = try file.read(into: samples, frames: frames)
            guard count > 0 else { return }
            body(samples, count, file.channels)
        }
    }
}

/// Refuses sound files that are shorter than their headers announce, while they can still be copied again.
public enum CutFile {
    /// - Throws: ``MediaError`` when this is not a sound file, or one that is cut short.
    public static func refuse(path: String) throws(MediaError) {
        if let cut = try SoundFile(path: path).cut { throw MediaError("\(cut) Send the whole file.") }
    }
}

/// The limit for samples that enter the engine, from files and from live input.
///
/// Infinite samples and those that are not numbers become 0, because a recursive filter would never recover from one; larger
/// ones are limited. Samples of integer formats are within ±1.
public enum SampleLimit {
    /// Largest magnitude, linear: +36 dB above full scale.
    public static let largest: Float = RT_LARGEST_SAMPLE

    /// A warning about samples of a file that were limited; nil for none.
    static func warning(_ path: String, _ count: Int) -> String? {
        guard count > 0 else { return nil }
        let (are, numbers) = count == 1 ? ("sample is", "a number") : ("samples are", "numbers")
        return "\(path): \(count) \(are) beyond ±64 (+36 dBFS), or not \(numbers). "
            + "These are limited or silenced. Export the file at a lower level."
    }
}

/// Samples of one or more files that ``SampleLimit`` has changed.
public struct LimitedSamples: Sendable, Equatable {
    /// Number of samples, of all files.
    public private(set) var count = 0
    /// A warning for each file that has such samples.
    public private(set) var warnings: [String] = []

    init(path: String, count: Int) {
        self.count = count
        if let warning = SampleLimit.warning(path, count) { warnings = [warning] }
    }

    init(_ files: [SoundFile]) {
        for file in files.map(\.limitedSamples) {
            count += file.count
            warnings += file.warnings
        }
    }
}
