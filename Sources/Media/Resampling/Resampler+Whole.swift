extension Resampler {
    /// Input frames per step.
    private static let chunk = 65_536

    /// Returns a whole sound resampled to another rate.
    ///
    /// - Parameter progress: called with the completed share, 0 to 1; returns whether to continue.
    /// - Returns: nil if `progress` stopped the work, and only then.
    static func resampled(
        _ samples: [Float], _ channels: Int, from: Int, to: Int, progress: (Double) -> Bool = { _ in true }
    ) throws(MediaError) -> [Float]? {
        var resampler = try Resampler(from: Double(from), to: Double(to), channels: channels, quality: .veryHigh)
        let room = samples.count / channels * to / from + 4096
        var result = [Float](repeating: 0, count: room * channels)
        var (taken, made) = (0, 0)
        let frames = samples.count / channels
        var isContinuing = true
        samples.withUnsafeBufferPointer { input in
            result.withUnsafeMutableBufferPointer { output in
                while taken < frames {
                    isContinuing = progress(Double(taken) / Double(frames))
                    guard isContinuing else { return }
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
        guard isContinuing else { return nil }
        result.removeLast((room - made) * channels)
        return result
    }
}
