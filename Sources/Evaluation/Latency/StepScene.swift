internal import Foundation

/// A recording that makes half a turn of the head audible at once: a tone at the microphone on the left, silence at the
/// others. The left ear hears it at yaw 0, the right ear at yaw 180.
public enum StepScene {
    /// Microphones at 0, -90, 180 and 90 degrees.
    public static let channels = 4
    static let level: Float = 0.5
    /// Of the tone, an eighth of the rate.
    private static let framesPerCycle = 8

    /// Interleaved, silent but for the last channel; whole cycles, so that its end joins its beginning.
    public static func samples(cycles: Int) -> [Float] {
        var samples = [Float](repeating: 0, count: cycles * framesPerCycle * channels)
        for frame in 0..<cycles * framesPerCycle {
            samples[frame * channels + 3] = level * Float(sin(2 * Double.pi * (Double(frame) + 0.5) / Double(framesPerCycle)))
        }
        return samples
    }

    /// The ear that a step makes loud, 0 or 1.
    public static func ear(step: Int) -> Int { step % 2 == 0 ? 1 : 0 }

    /// Degrees, after that step.
    public static func yaw(step: Int) -> Float { step % 2 == 0 ? 180 : 0 }
}
