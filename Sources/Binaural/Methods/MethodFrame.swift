/// Frames in which a method works: none, when it works sample by sample.
enum MethodFrame {
    /// No frames, no latency.
    case none
    /// ``SpectralFrame``.
    case spectral
    /// ``HRTFFrame``.
    case hrtf
}
