internal import CLoudness

/// Measures stereo sound as it passes. Not thread-safe and not realtime-safe.
public final class LoudnessMeter {
    private var state: UnsafeMutablePointer<ebur128_state>?

    /// - Parameters:
    ///   - rate: frames per second, 16 or more.
    ///   - measuresPeaks: whether peaks are measured, too; they are 0 otherwise.
    public init(rate: Int, measuresPeaks: Bool = true) throws(MediaError) {
        let peaks = measuresPeaks ? EBUR128_MODE_SAMPLE_PEAK.rawValue | EBUR128_MODE_TRUE_PEAK.rawValue : 0
        let mode = EBUR128_MODE_I.rawValue | peaks
        state = ebur128_init(2, UInt(rate), Int32(mode))
        guard state != nil else { throw MediaError("Loudness cannot be measured at \(rate) Hz: there is not enough memory.") }
    }

    deinit { ebur128_destroy(&state) }

    /// - Parameter interleaved: `frames` stereo frames.
    public func add(_ interleaved: UnsafePointer<Float>, frames: Int) throws(MediaError) {
        guard ebur128_add_frames_float(state, interleaved, frames) == 0 else {
            throw MediaError("Loudness cannot be measured: there is not enough memory.")
        }
    }

    /// Levels of everything so far.
    public var loudness: Loudness {
        var integrated = -Double.infinity
        ebur128_loudness_global(state, &integrated)
        return Loudness(
            peak: largest(ebur128_sample_peak), truePeak: largest(ebur128_true_peak),
            integrated: integrated.isFinite ? integrated : nil)
    }

    /// The larger value of both channels.
    private func largest(
        _ read: (UnsafeMutablePointer<ebur128_state>?, UInt32, UnsafeMutablePointer<Double>?) -> Int32
    ) -> Double {
        var (left, right) = (0.0, 0.0)
        _ = read(state, 0, &left)
        _ = read(state, 1, &right)
        return max(left, right)
    }
}
