/// Finds where a tone begins in an ear that was silent.
public struct StepDetector: Sendable {
    /// Of the tone's own level: what begins to be heard.
    private static let threshold: Float = 0.02
    /// Of the tone's own level: how loud it is on the mean of the first ``confirmation`` frames, lest a click counts.
    private static let least: Float = 0.2
    /// Frames.
    private static let confirmation = 192
    /// Frames before the search that have to be silent.
    private static let quiet = 96

    private let samples: [Float]
    private let levels: [Float]

    /// - Parameter samples: two channels, interleaved.
    public init(_ samples: [Float]) {
        self.samples = samples
        // The tone is heard half of the time in either ear: three quarters of all frames are below its peaks.
        levels = (0..<2).map { ear in
            let sizes = stride(from: ear, to: samples.count, by: 2 * 7).map { abs(samples[$0]) }.sorted()
            return sizes.isEmpty ? 0 : sizes[sizes.count * 9 / 10]
        }
    }

    /// - Parameters:
    ///   - ear: 0 left, 1 right.
    ///   - range: frames to look in; it was silent before.
    /// - Returns: the first frame of the tone; nil when there is none, or when it was there already.
    public func onset(ear: Int, in range: Range<Int>) -> Int? {
        let frames = samples.count / 2
        func size(_ frame: Int) -> Float { abs(samples[2 * frame + ear]) }
        let begin = max(range.lowerBound, Self.quiet)
        guard levels[ear] > 1e-4, begin < frames else { return nil }
        var noise: Float = 0
        for frame in begin - Self.quiet..<begin { noise = max(noise, size(frame)) }
        let limit = max(Self.threshold * levels[ear], 3 * noise)
        guard limit < Self.least * levels[ear] else { return nil }
        for frame in begin..<min(range.upperBound, frames - Self.confirmation) where size(frame) > limit {
            var sum: Float = 0
            for next in frame..<frame + Self.confirmation { sum += size(next) }
            if sum / Float(Self.confirmation) > Self.least * levels[ear] { return frame }
        }
        return nil
    }
}
