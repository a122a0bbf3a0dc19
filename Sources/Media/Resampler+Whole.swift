extension Resampler {
    /// A whole sound at another rate.
    static func resampled(
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
