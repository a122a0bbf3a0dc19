internal import CSoxr

/// Sample-rate converter for a stream of interleaved frames, with libsoxr's linear-phase filter.
///
/// Output frame n corresponds to the input at time n / output rate: the filter's delay is compensated by
/// withholding output until enough input has arrived. Not thread-safe and not realtime-safe.
public struct Resampler: ~Copyable {
    public enum Quality: Sendable {
        /// 20 bits: errors 120 dB down.
        case high
        /// 28 bits: computed in double precision, at about half the speed.
        case veryHigh
    }

    private let handle: soxr_t

    /// - Parameters:
    ///   - input: input rate in frames per second.
    ///   - output: output rate in frames per second.
    public init(from input: Double, to output: Double, channels: Int, quality: Quality = .high) throws(MediaError) {
        var refusal: soxr_error_t?
        var recipe = soxr_quality_spec(UInt(quality == .high ? SOXR_20_BITQ : SOXR_28_BITQ), 0)
        guard let handle = soxr_create(input, output, UInt32(channels), &refusal, nil, &recipe, nil) else {
            let reason = refusal.map { String(cString: $0) } ?? "out of memory"
            throw MediaError(
                "A recording of \(input) Hz cannot be played at \(output) Hz (\(reason)). Convert it to \(output) Hz.")
        }
        self.handle = handle
    }

    deinit { soxr_delete(handle) }

    /// Consumes up to `frames` frames of `input` and writes up to `capacity` frames of `output`.
    /// The caller passes the frames that were not consumed again.
    public mutating func process(
        _ input: UnsafePointer<Float>, frames: Int, output: UnsafeMutablePointer<Float>, capacity: Int
    ) -> (consumed: Int, produced: Int) {
        var consumed = 0
        var produced = 0
        soxr_process(handle, input, frames, &consumed, output, capacity, &produced)
        return (consumed, produced)
    }

    /// Writes up to `capacity` withheld frames after the last input; returns 0 when none are left.
    public mutating func flush(output: UnsafeMutablePointer<Float>, capacity: Int) -> Int {
        var produced = 0
        soxr_process(handle, nil, 0, nil, output, capacity, &produced)
        return produced
    }

    /// Discards the input so far: the next input is the start of another stream.
    public mutating func reset() { soxr_clear(handle) }
}
