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
