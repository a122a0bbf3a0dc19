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

/// Control of the ratio between two clocks: a second-order loop over the number of frames that wait between them, fast at first and slow
/// later.
///
/// Threads and packets are late, never early: of the measurements in a window only the least counts.
public struct DriftLoop: Sendable {
    /// Input frames per output frame.
    public private(set) var ratio = 1.0
    private let rate: Double
    private var drift = 0.0
    private var smoothed: Double?
    private var seconds = 0.0
    private var least = Double.infinity
    /// Seconds since the window began.
    private var width = 0.0

    /// Bandwidth at the start, which is divided by 1 + seconds / `halving`, and its least, hertz.
    private static let bandwidths = (first: 0.3, last: 0.01)
    private static let halving = 3.0
    /// Longest window in seconds.
    private static let longestWindow = 0.5
    /// Largest lasting part of the correction, which follows the drift of the clocks.
    private static let mostDrift = 1e-3
    /// Largest temporary part of the correction, which follows the number of waiting frames.
    private let correction: Double

    /// - Parameters:
    ///   - rate: frames per second.
    ///   - correction: largest deviation of the ratio while the number of waiting frames is wrong; it is heard as a change of pitch.
    public init(rate: Double, correction: Double = 2e-3) {
        self.rate = rate
        self.correction = correction
    }

    /// Notes a measurement.
    ///
    /// - Parameters:
    ///   - error: frames that wait beyond the wanted number.
    ///   - elapsed: seconds since the last measurement.
    public mutating func note(error: Double, elapsed: Double) {
        seconds += elapsed
        width += elapsed
        least = min(least, error)
        let bandwidth = max(Self.bandwidths.last, Self.bandwidths.first / (1 + seconds / Self.halving))
        guard width >= min(Self.longestWindow, 0.02 / bandwidth) else { return }
        follow(least, width, speed: 2 * Double.pi * bandwidth)
        (least, width) = (.infinity, 0)
    }

    private mutating func follow(_ error: Double, _ elapsed: Double, speed: Double) {
        let share = min(1, 4 * speed * elapsed)
        let level = smoothed.map { $0 + share * (error - $0) } ?? error
        smoothed = level
        let proportional = 2 * speed * level / rate
        if abs(proportional) < correction {
            drift = min(max(drift + speed * speed * level / rate * elapsed, -Self.mostDrift), Self.mostDrift)
        }
        ratio = 1 + drift + min(max(proportional, -correction), correction)
    }
}
