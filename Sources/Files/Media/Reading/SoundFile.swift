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
