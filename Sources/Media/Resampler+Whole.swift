extension Resampler {
    /// Frames that are taken at once.
    private static let chunk = 65_536

    /// A whole sound at another rate.
    ///
    /// - Parameter progress: told the share that is done, 0 to 1; says whether to go on.
    /// - Returns: nil when told not to go on, and only then.
    static func resampled(
        _ samples: [Float], _ channels: Int, from: Int, to: Int, progress: (Double) -> Bool = { _ in true }
    ) throws(MediaError) -> [Float]? {
        var resampler = try Resampler(from: Double(from), to: Double(to), channels: channels, quality: .veryHigh)
        let room = samples.count / channels * to / from + 4096
        var result = [Float](repeating: 0, count: room * channels)
        var (taken, made) = (0, 0)
        let frames = samples.count / channels
        var goesOn = true
        samples.withUnsafeBufferPointer { input in
            result.withUnsafeMutableBufferPointer { output in
                while taken < frames {
                    goesOn = progress(Double(taken) / Double(frames))
                    guard goesOn else { return }
                    let (consumed, produced) = resampler.process(
                        input.baseAddress! + taken * channels, frames: min(Self.chunk, frames - taken),
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
        guard goesOn else { return nil }
        result.removeLast((room - made) * channels)
        return result
    }
}
