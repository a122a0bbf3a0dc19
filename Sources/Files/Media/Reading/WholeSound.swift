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
