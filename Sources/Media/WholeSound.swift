/// A sound file of one or two channels in memory, at the rate that is asked for.
public struct WholeSound: Sendable, Equatable {
    /// Left, right, left, right; a mono file is on both sides.
    public let interleaved: [Float]
    /// What a person should know about a file that is used all the same.
    public let warnings: [String]

    /// - Parameters:
    ///   - longest: seconds; what is longer is refused.
    ///   - purpose: what it is, for messages.
    /// - Throws: ``MediaError`` when it is no sound file, empty, too long, or has more than two channels.
    public init(path: String, rate: Int, longest: Double, purpose: String) throws(MediaError) {
        let file = try StereoFile(path: path)
        warnings = file.warnings
        guard Double(file.frames) <= longest * Double(file.rate) else {
            throw MediaError(
                "\(path) lasts \(file.frames / file.rate) s, and \(purpose) may last \(Int(longest)) s. Cut it.")
        }
        let channels = file.channels
        var samples = [Float](repeating: 0, count: file.frames * channels)
        let got = try samples.withUnsafeMutableBufferPointer { buffer throws(MediaError) in
            try file.read(into: buffer.baseAddress!, frames: file.frames)
        }
        samples.removeLast(samples.count - got * channels)
        if file.rate != rate { samples = try Resampler.resampled(samples, channels, from: file.rate, to: rate) }
        interleaved = channels == 2 ? samples : samples.flatMap { [$0, $0] }
    }

    public var frames: Int { interleaved.count / 2 }
}
