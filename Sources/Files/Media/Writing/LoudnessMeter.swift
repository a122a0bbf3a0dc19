internal import CLoudness
internal import CRealtime
internal import DSP
internal import Foundation

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

/// Levels of a whole sound.
public struct Loudness: Sendable, Equatable {
    /// Largest sample, linear.
    public let peak: Double
    /// Largest magnitude between samples as well (ITU-R BS.1770), linear.
    public let truePeak: Double
    /// Integrated loudness (EBU R 128), LUFS; nil for sound below -70 LUFS or shorter than 0.4 s.
    public let integrated: Double?

    public init(peak: Double, truePeak: Double, integrated: Double?) {
        self.peak = peak
        self.truePeak = truePeak
        self.integrated = integrated
    }

    /// The levels in words.
    public var text: String {
        guard peak > 0 else { return "silence" }
        let levels = String(format: "peak %.2f dBFS, true peak %.2f dBTP", 20 * log10(peak), 20 * log10(max(peak, truePeak)))
        return levels + (integrated.map { String(format: ", loudness %.1f LUFS", $0) } ?? ", loudness below -70 LUFS or too short")
    }
}

/// Largest magnitude of stereo sound at and between its samples. Not thread-safe and not realtime-safe.
///
/// Frames of 8192 samples, of which the middle half counts, are interpolated to four times the rate by their spectra, and
/// a parabola is put through each point and its neighbours. A short filter would miss up to 0.8 dB in white noise, whose
/// energy just below half the rate depends on samples far from a peak.
final class TruePeakMeter {
    /// Samples of a frame, and of its part that counts.
    private static let count = 8192
    private static let hop = 4096
    /// Samples before and after the sound that count as well: a sudden beginning or end has ripples there.
    private static let edge = 64
    private static let times = 4

    private let narrow = FourierTransform(count: count)
    private let wide = FourierTransform(count: times * count)
    private let time = UnsafeMutablePointer<Float>.allocateAligned(times * count)
    private let spectrum = UnsafeMutablePointer<Float>.allocateAligned(times * count + 2)
    /// Samples of either side that wait for the end of their frame.
    private var sides: [[Float]]
    private var filled: Int
    private var found: Float = 0

    init() {
        sides = [[Float]](repeating: [Float](repeating: 0, count: Self.count), count: 2)
        filled = (Self.count - Self.hop) / 2 + Self.edge
    }

    deinit {
        time.deallocate()
        spectrum.deallocate()
    }

    /// - Parameter interleaved: `frames` stereo frames.
    func add(_ interleaved: UnsafePointer<Float>, frames: Int) {
        var at = 0
        while at < frames {
            let taken = min(frames - at, Self.count - filled)
            for side in 0..<2 {
                for i in 0..<taken {
                    let sample = interleaved[2 * (at + i) + side]
                    sides[side][filled + i] = sample.isFinite ? sample : 0
                }
            }
            filled += taken
            at += taken
            if filled == Self.count { measure() }
        }
    }

    /// The largest magnitude of everything so far, linear.
    var peak: Float {
        let state = (sides, filled, found)
        defer { (sides, filled, found) = state }
        let silence = [Float](repeating: 0, count: 2 * Self.count)
        add(silence, frames: Self.count)
        return found
    }

    /// Measures a full frame and keeps the part of it that the next frame needs.
    private func measure() {
        for side in 0..<2 {
            // Interpolation through the whole band adds less than 18 dB.
            if (sides[side].max { abs($0) < abs($1) }.map { abs($0) } ?? 0) * 8 > found { measure(sides[side]) }
            sides[side].replaceSubrange(0..<Self.count - Self.hop, with: sides[side][Self.hop...])
        }
        filled = Self.count - Self.hop
    }

    private func measure(_ samples: [Float]) {
        for (i, sample) in samples.enumerated() { time[i] = sample / Float(Self.count) }
        rt_zero(spectrum, Self.times * Self.count + 2)
        narrow.forward(time, into: spectrum)
        // Half the rate is a positive and a negative frequency of the wide spectrum.
        spectrum[Self.count] *= 0.5
        wide.inverse(spectrum, into: time)
        let first = Self.times * (Self.count - Self.hop) / 2
        var (before, here) = (time[first - 1], time[first])
        for i in first..<first + Self.times * Self.hop {
            let after = time[i + 1]
            let (rise, fall) = (here - before, here - after)
            var size = abs(here)
            if rise * fall > 0 { size = abs(here + (before - after) * (before - after) / (8 * (rise + fall))) }
            if size > found { found = size }
            (before, here) = (here, after)
        }
    }
}
