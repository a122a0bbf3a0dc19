/// Frames in which a method works: none, when it works sample by sample.
///
/// A raw value keeps the derived hashing, and with it the random seed of the C library, out of the renderer for browsers.
enum MethodFrame: Int {
    /// No frames, no latency.
    case none
    /// ``SpectralFrame``.
    case spectral
    /// ``HRTFFrame``.
    case hrtf
}
