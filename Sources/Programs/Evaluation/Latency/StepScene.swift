internal import Foundation

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
