/// A sound file of one or two channels, or of four for impulse responses, in memory at the requested rate.
public struct WholeSound: Sendable, Equatable {
    /// Interleaved samples of ``channels`` channels; a mono file is on both sides.
    public let interleaved: [Float]
    /// 2 or 4.
    public let channels: Int
    /// Frames per second of the file.
    public let fileRate: Int
    /// Warnings about a file that can be used nevertheless.
    public let warnings: [String]

    /// Frames per read.
    private static let chunk = 65_536

    /// - Parameters:
    ///   - longest: the longest duration in seconds.
    ///   - purpose: the use of the file, for error messages.
    /// - Throws: ``MediaError`` when the file is not a sound file, is empty or too long, or has more than two channels.
    public init(path: String, rate: Int, longest: Double, purpose: String) throws(MediaError) {
        self = try Self.read(path: path, rate: rate, longest: longest, purpose: purpose) { _ in true }!
    }

    /// The same as ``init(path:rate:longest:purpose:)``, with progress.
    ///
    /// Memory is taken for the sound at `rate`, at most `longest` seconds of it, whatever the rate of the file.
    ///
    /// - Parameters:
    ///   - isTrueStereo: whether the file may have four channels.
    ///   - progress: called with the completed share, 0 to 1; returns whether to continue.
    /// - Returns: nil if `progress` stopped the work, and only then.
    static func read(
        path: String, rate: Int, longest: Double, purpose: String, isTrueStereo: Bool = false, progress: (Double) -> Bool
    ) throws(MediaError) -> WholeSound? {
        let file = try open(path: path, longest: longest, purpose: purpose, isTrueStereo: isTrueStereo)
        var sound = try ConvertedSound(file, rate: rate)
        var chunk = [Float](repeating: 0, count: min(Self.chunk, file.frames) * file.channels)
        var got = 0
        while got < file.frames {
            guard progress(Double(got) / Double(file.frames)) else { return nil }
            let more = try file.read(into: &chunk, frames: min(Self.chunk, file.frames - got))
            guard more > 0 else { break }
            sound.add(chunk, frames: more)
            got += more
        }
        let samples = sound.finish()
        return WholeSound(
            interleaved: file.channels > 1 ? samples : samples.flatMap { [$0, $0] }, channels: max(2, file.channels),
            fileRate: file.rate, warnings: file.warnings + file.limited.warnings)
    }

    /// Refuses an unsuitable file without reading the sound.
    static func open(
        path: String, longest: Double, purpose: String, isTrueStereo: Bool = false
    ) throws(MediaError) -> StereoFile {
        let file = try StereoFile(path: path, purpose: purpose, isTrueStereo: isTrueStereo)
        guard Double(file.frames) <= longest * Double(file.rate) else {
            throw MediaError(
                "\(path) lasts \(file.frames / file.rate) s, but \(purpose) may last at most \(Int(clamping: longest)) s. Shorten it.")
        }
        return file
    }

    private init(interleaved: [Float], channels: Int, fileRate: Int, warnings: [String]) {
        (self.interleaved, self.channels, self.fileRate, self.warnings) = (interleaved, channels, fileRate, warnings)
    }
}

/// A whole sound in memory, resampled as it is read.
struct ConvertedSound: ~Copyable {
    private let channels: Int
    private var resampler: Resampler?
    private var samples: [Float]
    /// Frames made so far.
    private var made = 0

    /// Maximum number of frames that a resampler withholds.
    private static let reserve = 4096

    /// - Parameter rate: frames per second of the result.
    init(_ file: StereoFile, rate: Int) throws(MediaError) {
        channels = file.channels
        let isSame = file.rate == rate
        if !isSame {
            resampler = try Resampler(from: Double(file.rate), to: Double(rate), channels: channels, quality: .veryHigh)
        }
        let room = isSame ? file.frames : file.frames * rate / file.rate + Self.reserve
        samples = [Float](repeating: 0, count: room * channels)
    }

    private var room: Int { samples.count / channels }

    /// Adds interleaved frames of the file.
    mutating func add(_ more: [Float], frames: Int) {
        guard resampler != nil else {
            samples.replaceSubrange(made * channels..<(made + frames) * channels, with: more.prefix(frames * channels))
            made += frames
            return
        }
        var taken = 0
        more.withUnsafeBufferPointer { input in
            samples.withUnsafeMutableBufferPointer { output in
                while taken < frames {
                    let (consumed, produced) = resampler!.process(
                        input.baseAddress! + taken * channels, frames: frames - taken,
                        output: output.baseAddress! + made * channels, capacity: output.count / channels - made)
                    taken += consumed
                    made += produced
                    if consumed == 0 && produced == 0 { break }
                }
            }
        }
    }

    /// Adds the withheld frames, and returns the interleaved frames of the whole sound.
    consuming func finish() -> [Float] {
        while resampler != nil, made < room {
            let produced = samples.withUnsafeMutableBufferPointer { output in
                resampler!.flush(output: output.baseAddress! + made * channels, capacity: output.count / channels - made)
            }
            guard produced > 0 else { break }
            made += produced
        }
        samples.removeLast((room - made) * channels)
        return samples
    }
}

/// A sound file of one or two channels, or of four for impulse responses, open for reading. Not thread-safe.
public final class StereoFile {
    private let file: SoundFile

    /// - Parameters:
    ///   - purpose: the use of the file, for error messages.
    ///   - isTrueStereo: whether the file may have four channels.
    /// - Throws: ``MediaError`` when the file is not a sound file, is empty, or has another number of channels.
    public init(path: String, purpose: String, isTrueStereo: Bool = false) throws(MediaError) {
        file = try SoundFile(path: path)
        guard !isTrueStereo || file.channels <= 2 || file.channels == 4 else {
            throw MediaError(
                "\(path) has \(file.channels) channels, but an impulse response has one, two, or four (left to left, left to right, "
                    + "right to left, right to right). Export the channels you want to a file of their own.")
        }
        guard isTrueStereo || file.channels <= 2 else {
            throw MediaError(
                "\(path) has \(file.channels) channels, but \(purpose) has one or two. Export the channels you want to a file of their own."
            )
        }
    }

    /// Number of channels: 1, 2 or 4.
    public var channels: Int { file.channels }
    /// Frames per second.
    public var rate: Int { file.rate }
    public var frames: Int { file.frames }
    /// Warnings about a file that can be read nevertheless.
    public var warnings: [String] { file.warnings }
    /// The samples read so far that were limited, each counted once.
    public var limited: LimitedSamples { file.limitedSamples }

    /// Reads up to `count` interleaved frames; fewer only at the end.
    public func read(into target: UnsafeMutablePointer<Float>, frames count: Int) throws(MediaError) -> Int {
        try file.read(into: target, frames: count)
    }
}
