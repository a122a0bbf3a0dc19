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
