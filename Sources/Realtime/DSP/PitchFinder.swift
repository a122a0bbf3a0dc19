internal import CRealtime

/// The fundamental frequency of a voice or an instrument.
///
/// McLeod and Wyvill, "A smarter way to find pitch" (ICMC 2005): autocorrelation, normalised by the energy of both
/// segments; the first of its peaks that is nearly as high as the highest; a parabola through that peak. For one thread
/// at a time, not for the audio thread.
public struct PitchFinder: ~Copyable {
    /// Number of samples that are analysed.
    public let window: Int
    private let rate: Float
    private let transform: FourierTransform
    // SAFETY: owned by this value alone, which cannot be copied.
    private let time: UnsafeMutablePointer<Float>
    private let spectrum: UnsafeMutablePointer<Float>
    private var likeness: [Float]

    /// Smallest height of a peak, relative to the highest.
    private static let share: Float = 0.9
    /// Smallest normalised autocorrelation of a periodic sound; below it the sound counts as noise.
    private static let clarity: Float = 0.7
    /// RMS below which the sound counts as silence: -60 dB.
    private static let quietest: Float = 0.001

    /// - Parameter rate: frames per second.
    public init(rate: Float) {
        self.rate = rate
        // At least four periods of a bass's low E, 41 Hz.
        window = rate <= 56_000 ? 4096 : rate <= 112_000 ? 8192 : 16_384
        transform = FourierTransform(count: 2 * window)
        time = .allocateAligned(2 * window)
        spectrum = .allocateAligned(2 * transform.bins)
        likeness = .init(repeating: 0, count: window / 2)
    }

    deinit {
        time.deallocate()
        spectrum.deallocate()
    }

    /// - Parameter samples: ``window`` samples.
    /// - Returns: frequency in Hz; nil for silence and noise.
    public mutating func find(_ samples: [Float]) -> Float? {
        precondition(samples.count == window)
        var energy = 0.0
        for i in 0..<window {
            time[i] = samples[i]
            time[window + i] = 0
            energy += Double(samples[i] * samples[i])
        }
        guard (energy / Double(window)).squareRoot() > Double(Self.quietest) else { return nil }
        correlate(energy)
        return peak().map { rate / $0 }
    }

    /// Computes the normalised autocorrelation of the window, -1 to 1 for each lag.
    private mutating func correlate(_ energy: Double) {
        transform.forward(time, into: spectrum)
        for bin in 0..<transform.bins {
            let (re, im) = (spectrum[2 * bin], spectrum[2 * bin + 1])
            spectrum[2 * bin] = (re * re + im * im) / Float(2 * window)
            spectrum[2 * bin + 1] = 0
        }
        let samples = (0..<window).map { time[$0] }
        transform.inverse(spectrum, into: time)
        var both = 2 * energy
        for distance in likeness.indices {
            likeness[distance] = both > 1e-12 ? Float(2 * Double(time[distance]) / both) : 0
            let (first, last) = (samples[distance], samples[window - 1 - distance])
            both -= Double(first * first) + Double(last * last)
        }
    }

    /// Returns the lag of the first sufficient peak in samples, with fraction.
    private func peak() -> Float? {
        var peaks: [Int] = []
        var isAbove = false
        // The peak at lag 0 ends at the first zero.
        var i = likeness.firstIndex { $0 <= 0 } ?? likeness.count
        while i < likeness.count - 1 {
            if likeness[i] > 0, !isAbove {
                isAbove = true
                peaks.append(i)
            } else if likeness[i] <= 0 {
                isAbove = false
            } else if let best = peaks.last, likeness[i] > likeness[best] {
                peaks[peaks.count - 1] = i
            }
            i += 1
        }
        guard let highest = peaks.map({ likeness[$0] }).max(), highest > Self.clarity,
            let place = peaks.first(where: { likeness[$0] >= Self.share * highest }), place > 1
        else { return nil }
        let (before, here, after) = (likeness[place - 1], likeness[place], likeness[place + 1])
        let bend = before - 2 * here + after
        return Float(place) + (bend == 0 ? 0 : 0.5 * (before - after) / bend)
    }
}
