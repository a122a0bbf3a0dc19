internal import CSoxr

/// Sample-rate converter for interleaved frames between two clocks of nearly the same rate, with libsoxr's variable ratio.
///
/// Not thread-safe, and not for the audio thread: it allocates.
public struct VariableResampler: ~Copyable {
    private let handle: soxr_t

    /// Delay of the output in frames against the input that it corresponds to by its frame count, the same at every ratio from 0.5 to 2.
    public static let delay = 1.62
    /// Input frames over which a new ratio is approached.
    public static let slew = 64
    /// Input frames per output frame that libsoxr prepares for. At 1 it would change its filters, and with them the delay, wherever the
    /// ratio passes 1.
    private static let largestRatio = 2.0

    public init(channels: Int) {
        var refusal: soxr_error_t?
        var recipe = soxr_quality_spec(UInt(SOXR_HQ), UInt(SOXR_VR))
        guard let handle = soxr_create(Self.largestRatio, 1, UInt32(channels), &refusal, nil, &recipe, nil) else {
            preconditionFailure(refusal.map { String(cString: $0) } ?? "out of memory")
        }
        self.handle = handle
        soxr_set_io_ratio(handle, 1, 0)
    }

    deinit { soxr_delete(handle) }

    /// Sets the number of input frames per output frame, approached over ``slew`` frames.
    public mutating func set(ratio: Double) { soxr_set_io_ratio(handle, ratio, Self.slew) }

    /// Consumes up to `frames` frames of `input`, and writes up to `capacity` frames.
    public mutating func process(
        _ input: UnsafePointer<Float>, frames: Int, output: UnsafeMutablePointer<Float>, capacity: Int
    ) -> (consumed: Int, produced: Int) {
        var consumed = 0
        var produced = 0
        soxr_process(handle, input, frames, &consumed, output, capacity, &produced)
        return (consumed, produced)
    }
}
