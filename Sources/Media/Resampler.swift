internal import CSoxr

/// Changes the rate of a stream of interleaved frames; libsoxr's linear-phase filter.
///
/// Output frame n is the input at the time n / output rate: the filter's delay is taken off, by
/// holding output back until enough input has come. For one thread at a time, not a realtime one.
public struct Resampler: ~Copyable {
    public enum Quality: Sendable {
        /// 20 bits: errors 120 dB down.
        case high
        /// 28 bits: computed in double precision, at about half the speed.
        case veryHigh
    }

    public let channels: Int
    /// Output frames per input frame.
    public let ratio: Double
    private let handle: soxr_t

    /// - Parameters:
    ///   - input: frames per second that come in.
    ///   - output: frames per second that go out.
    public init(from input: Double, to output: Double, channels: Int, quality: Quality = .high) throws(MediaError) {
        var refusal: soxr_error_t?
        var recipe = soxr_quality_spec(UInt(quality == .high ? SOXR_20_BITQ : SOXR_28_BITQ), 0)
        guard let handle = soxr_create(input, output, UInt32(channels), &refusal, nil, &recipe, nil) else {
            let reason = refusal.map { String(cString: $0) } ?? "out of memory"
            throw MediaError(
                "A recording of \(input) Hz cannot be played at \(output) Hz (\(reason)). Convert it to \(output) Hz.")
        }
        self.handle = handle
        self.channels = channels
        ratio = output / input
    }

    deinit { soxr_delete(handle) }

    /// Takes up to `frames` frames of `input` and writes up to `capacity` frames of `output`.
    /// Call it again with what it has not consumed.
    public mutating func process(
        _ input: UnsafePointer<Float>, frames: Int, output: UnsafeMutablePointer<Float>, capacity: Int
    ) -> (consumed: Int, produced: Int) {
        var consumed = 0
        var produced = 0
        soxr_process(handle, input, frames, &consumed, output, capacity, &produced)
        return (consumed, produced)
    }

    /// After the last input: writes up to `capacity` of the frames held back; 0 when there are none left.
    public mutating func flush(output: UnsafeMutablePointer<Float>, capacity: Int) -> Int {
        var produced = 0
        soxr_process(handle, nil, 0, nil, output, capacity, &produced)
        return produced
    }

    /// Forgets what has come in: the next input is the start of another stream.
    public mutating func reset() { soxr_clear(handle) }
}
