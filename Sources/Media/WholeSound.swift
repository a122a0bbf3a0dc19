/// A sound file of one or two channels in memory, at the rate that is asked for.
public struct WholeSound: Sendable, Equatable {
    /// Left, right, left, right; a mono file is on both sides.
    public let interleaved: [Float]
    /// What a person should know about a file that is used all the same.
    public let warnings: [String]

    /// Frames that are read at once.
    private static let chunk = 65_536
    /// Of the work, what is reading.
    private static let readingShare = 0.4

    /// - Parameters:
    ///   - longest: seconds; what is longer is refused.
    ///   - purpose: what it is, for messages.
    /// - Throws: ``MediaError`` when it is no sound file, empty, too long, or has more than two channels.
    public init(path: String, rate: Int, longest: Double, purpose: String) throws(MediaError) {
        self = try Self.read(path: path, rate: rate, longest: longest, purpose: purpose) { _ in true }!
    }

    /// As ``init(path:rate:longest:purpose:)``.
    ///
    /// - Parameter progress: told the share that is done, 0 to 1; says whether to go on.
    /// - Returns: nil when told not to go on, and only then.
    static func read(
        path: String, rate: Int, longest: Double, purpose: String, progress: (Double) -> Bool
    ) throws(MediaError) -> WholeSound? {
        let file = try open(path: path, longest: longest, purpose: purpose)
        let channels = file.channels
        var samples = [Float](repeating: 0, count: file.frames * channels)
        var got = 0
        while got < file.frames {
            guard progress(readingShare * Double(got) / Double(file.frames)) else { return nil }
            let more = try samples.withUnsafeMutableBufferPointer { buffer throws(MediaError) in
                try file.read(into: buffer.baseAddress! + got * channels, frames: min(chunk, file.frames - got))
            }
            guard more > 0 else { break }
            got += more
        }
        samples.removeLast(samples.count - got * channels)
        if file.rate != rate {
            let resampled = try Resampler.resampled(samples, channels, from: file.rate, to: rate) {
                progress(readingShare + (1 - readingShare) * $0)
            }
            guard let resampled else { return nil }
            samples = resampled
        }
        return WholeSound(interleaved: channels == 2 ? samples : samples.flatMap { [$0, $0] }, warnings: file.warnings)
    }

    /// Refuses what can be seen to be wrong without reading the sound.
    static func open(path: String, longest: Double, purpose: String) throws(MediaError) -> StereoFile {
        let file = try StereoFile(path: path)
        guard Double(file.frames) <= longest * Double(file.rate) else {
            throw MediaError(
                "\(path) lasts \(file.frames / file.rate) s, and \(purpose) may last \(Int(longest)) s. Cut it.")
        }
        return file
    }

    private init(interleaved: [Float], warnings: [String]) {
        (self.interleaved, self.warnings) = (interleaved, warnings)
    }

    public var frames: Int { interleaved.count / 2 }
}
