internal import Foundation

/// Detector of the onset of a tone in a silent ear.
public struct StepDetector: Sendable {
    /// Share of the tone's level at which its onset is detected.
    private static let threshold: Float = 0.02
    /// Share of the tone's level that the mean of the first ``confirmation`` frames must reach, so that a click is ignored.
    private static let least: Float = 0.2
    /// Length of the confirmation in frames.
    private static let confirmation = 192
    /// Number of frames before the search range that have to be silent.
    private static let quiet = 96

    private let samples: [Float]
    private let levels: [Float]

    /// - Parameter samples: interleaved stereo samples.
    public init(_ samples: [Float]) {
        self.samples = samples
        // The tone is present half of the time in either ear: three quarters of all frames are below its peaks.
        levels = (0..<2).map { ear in
            let sizes = stride(from: ear, to: samples.count, by: 2 * 7).map { abs(samples[$0]) }.sorted()
            return sizes.isEmpty ? 0 : sizes[sizes.count * 9 / 10]
        }
    }

    /// - Parameters:
    ///   - ear: 0 left, 1 right.
    ///   - range: frames to search; the ear is silent before.
    /// - Returns: the first frame of the tone; nil when there is none, or when it was already present.
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

/// A recording in which a half turn of the head is audible immediately: a tone at the left microphone, silence at the
/// others. The left ear hears it at yaw 0, the right ear at yaw 180.
public enum StepScene {
    /// Microphones at 0, -90, 180 and 90 degrees.
    public static let channels = 4
    static let level: Float = 0.5
    /// Frequency of the tone, an eighth of the rate.
    private static let framesPerCycle = 8

    /// Returns interleaved samples, silent except for the last channel, in whole cycles so that the loop is seamless.
    public static func samples(cycles: Int) -> [Float] {
        var samples = [Float](repeating: 0, count: cycles * framesPerCycle * channels)
        for frame in 0..<cycles * framesPerCycle {
            samples[frame * channels + 3] = level * Float(sin(2 * Double.pi * (Double(frame) + 0.5) / Double(framesPerCycle)))
        }
        return samples
    }

    /// Returns the ear in which the tone begins with a step, 0 or 1.
    public static func ear(step: Int) -> Int { step % 2 == 0 ? 1 : 0 }

    /// Returns the yaw after a step in degrees.
    public static func yaw(step: Int) -> Float { step % 2 == 0 ? 180 : 0 }
}
