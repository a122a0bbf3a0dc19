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
        return "\(path) is damaged: \(count) sample\(count == 1 ? " is not a number or exceeds" : "s are not numbers or exceed") "
            + "±64 (+36 dBFS). They are limited. Export the file again."
    }
}
