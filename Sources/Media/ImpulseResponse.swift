/// An impulse response from a file, for convolution.
public struct ImpulseResponse: Sendable, Equatable {
    public let left: [Float]
    public let right: [Float]

    /// Seconds; what is longer is refused.
    public static let longest = 20.0

    /// Read whole, resampled to `rate` where it has another, and scaled so that white noise goes through it at its
    /// own level.
    ///
    /// - Throws: ``MediaError`` when it is no sound file, empty, silent, too long, or has more than two channels.
    public init(path: String, rate: Int) throws(MediaError) {
        let file = try StereoFile(path: path)
        guard Double(file.frames) <= Self.longest * Double(file.rate) else {
            throw MediaError(
                "\(path) lasts \(file.frames / file.rate) s, and an impulse response may last \(Int(Self.longest)) s. "
                    + "Cut it where it has decayed.")
        }
        let channels = file.channels
        var samples = [Float](repeating: 0, count: file.frames * channels)
        let got = try samples.withUnsafeMutableBufferPointer { buffer throws(MediaError) in
            try file.read(into: buffer.baseAddress!, frames: file.frames)
        }
        samples.removeLast(samples.count - got * channels)
        if file.rate != rate { samples = try Self.resampled(samples, channels, from: file.rate, to: rate) }
        var rows = [[Float]](repeating: [], count: 2)
        for side in 0..<2 {
            rows[side] = stride(from: min(side, channels - 1), to: samples.count, by: channels).map { samples[$0] }
        }
        let energy = rows.map { $0.reduce(0.0) { $0 + Double($1) * Double($1) } }.max()!
        guard energy > 1e-12 else {
            throw MediaError("\(path) is silent, so that nothing would be heard through it. Name another file.")
        }
        let gain = Float(1 / energy.squareRoot())
        left = rows[0].map { $0 * gain }
        right = rows[1].map { $0 * gain }
    }

    private static func resampled(
        _ samples: [Float], _ channels: Int, from: Int, to: Int
    ) throws(MediaError) -> [Float] {
        var resampler = try Resampler(from: Double(from), to: Double(to), channels: channels, quality: .veryHigh)
        let room = samples.count / channels * to / from + 4096
        var result = [Float](repeating: 0, count: room * channels)
        var (taken, made) = (0, 0)
        let frames = samples.count / channels
        samples.withUnsafeBufferPointer { input in
            result.withUnsafeMutableBufferPointer { output in
                while taken < frames {
                    let (consumed, produced) = resampler.process(
                        input.baseAddress! + taken * channels, frames: frames - taken,
                        output: output.baseAddress! + made * channels, capacity: room - made)
                    taken += consumed
                    made += produced
                    if consumed == 0 && produced == 0 { break }
                }
                while made < room {
                    let produced = resampler.flush(output: output.baseAddress! + made * channels, capacity: room - made)
                    guard produced > 0 else { break }
                    made += produced
                }
            }
        }
        result.removeLast((room - made) * channels)
        return result
    }
}
