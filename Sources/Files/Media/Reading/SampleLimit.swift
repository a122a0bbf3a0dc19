internal import CRealtime

/// The limit for samples that enter the engine, from files and from live input.
///
/// Infinite samples and those that are not numbers become 0, because a recursive filter would never recover from one; larger
/// ones are limited. Samples of integer formats are within ±1.
public enum SampleLimit {
    /// Largest magnitude, linear: +36 dB above full scale.
    public static let largest: Float = RT_LARGEST_SAMPLE

    /// A warning about samples of a file that were limited; nil for none.
    static func warning(_ path: String, _ count: Int) -> String? {
        guard count > 0 else { return nil }
        let (are, numbers) = count == 1 ? ("sample is", "a number") : ("samples are", "numbers")
        return "\(path): \(count) \(are) beyond ±64 (+36 dBFS), or not \(numbers). "
            + "These are limited or silenced. Export the file at a lower level."
    }
}
