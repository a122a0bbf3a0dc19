internal import Glibc

/// Short frames of a signal: the powers of each in bands, and above everything that the stimulus has.
struct TurnFrames {
    /// ERB bands, frame by frame.
    let bands: [[Double]]
    /// From 18 kHz up, frame by frame.
    let clicks: [Double]
    /// Of everything, frame by frame.
    let total: [Double]

    /// Samples.
    static let length = 1024
    /// Samples from one to the next.
    static let hop = 512
    /// Hz. A Hann window's skirts have fallen by 100 dB from the stimulus' end to there.
    static let clickFrequency = 18_000.0

    static func count(_ samples: Int) -> Int { (samples - length) / hop + 1 }

    /// - Parameter first: where in `signal` the first frame begins.
    init(_ signal: [Float], from first: Int, count: Int) {
        let spacing = EarRenderer.rate / Double(Self.length)
        let powers = BandPowers(.erb, spacing: spacing)
        let transform = PeriodicTransform(period: Self.length)
        let window = (0..<Self.length).map { Float(0.5 - 0.5 * cos(2 * .pi * Double($0) / Double(Self.length))) }
        let edge = Int(Self.clickFrequency / spacing)
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
