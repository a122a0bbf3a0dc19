internal import Glibc

/// Powers of short frames of a signal, in bands and above the range of the stimulus.
struct TurnFrames {
    /// Powers in ERB bands, frame by frame.
    let bands: [[Double]]
    /// Power from 18 kHz up, frame by frame.
    let clicks: [Double]
    /// All frames in order.
    let total: [Double]

    /// Length of a frame in samples.
    static let length = 1024
    /// Samples from one frame to the next.
    static let hop = 512
    /// Lower limit of the click band in Hz: a Hann window's sidelobes of the stimulus have decayed by 100 dB there.
    static let clickFrequency = 18_000.0

    static func count(_ samples: Int) -> Int { (samples - length) / hop + 1 }

    /// - Parameter first: place in `signal` at which the first frame begins.
    init(_ signal: [Float], from first: Int, count: Int) {
        let spacing = EarRenderer.rate / Double(Self.length)
        let powers = BandPowers(.erb, spacing: spacing)
        let transform = PeriodicTransform(period: Self.length)
        let window = (0..<Self.length).map { Float(0.5 - 0.5 * cos(2 * .pi * Double($0) / Double(Self.length))) }
        let edge = Int(clamping: Self.clickFrequency / spacing)
        var (bands, clicks, total) = ([[Double]](), [Double](), [Double]())
        for frame in 0..<count {
            let power = transform.lines(
                of: signal, from: first + frame * Self.hop, window: window, count: Self.length / 2 + 1
            ).powers
            bands.append(powers.sums(power))
            clicks.append(power[edge...].reduce(0) { $0 + Double($1) })
            total.append(power.reduce(0) { $0 + Double($1) })
        }
        (self.bands, self.clicks, self.total) = (bands, clicks, total)
    }
}
