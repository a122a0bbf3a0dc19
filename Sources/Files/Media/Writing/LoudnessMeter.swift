internal import CLoudness

/// Measures stereo sound as it passes. Not thread-safe and not realtime-safe.
public final class LoudnessMeter {
    private var state: UnsafeMutablePointer<ebur128_state>?
    private let peaks: TruePeakMeter?

    /// - Parameters:
    ///   - rate: frames per second, 16 or more.
    ///   - measuresPeaks: whether peaks are measured, too; they are 0 otherwise.
    public init(rate: Int, measuresPeaks: Bool = true) throws(MediaError) {
        peaks = measuresPeaks ? TruePeakMeter() : nil
        let mode = EBUR128_MODE_I.rawValue | (measuresPeaks ? EBUR128_MODE_SAMPLE_PEAK.rawValue : 0)
        state = ebur128_init(2, UInt(rate), Int32(mode))
        guard state != nil else { throw MediaError("Loudness cannot be measured at \(rate) Hz: there is not enough memory.") }
    }

    deinit { ebur128_destroy(&state) }

    /// - Parameter interleaved: `frames` stereo frames.
    public func add(_ interleaved: UnsafePointer<Float>, frames: Int) throws(MediaError) {
        guard ebur128_add_frames_float(state, interleaved, frames) == 0 else {
            throw MediaError("Loudness cannot be measured: there is not enough memory.")
        }
        peaks?.add(interleaved, frames: frames)
    }

    /// Levels of everything so far.
    public var loudness: Loudness {
        var integrated = -Double.infinity
        ebur128_loudness_global(state, &integrated)
        var samples = (left: 0.0, right: 0.0)
        _ = ebur128_sample_peak(state, 0, &samples.left)
        _ = ebur128_sample_peak(state, 1, &samples.right)
        return Loudness(
            peak: max(samples.left, samples.right), truePeak: Double(peaks?.peak ?? 0),
            integrated: integrated.isFinite ? integrated : nil)
    }
}
