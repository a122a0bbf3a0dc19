internal import Glibc

/// Fits times to a count of frames by a delay-locked loop of second order.
///
/// After F. Adriaensen, "Using a DLL to filter time", Linux Audio Conference 2005. Until the loop's own bandwidth is reached, its
/// gains are those of a least-squares fit of all times so far. For the audio thread only.
struct FrameClock {
    /// Root mean square of the differences between the times and the fit, nanoseconds.
    var residual: Double { meanSquare.squareRoot() }
    /// Times that were left out of the fit because they were too far from it; a run of such times counts once.
    private(set) var jumps = 0

    private let nominal: Double
    /// The first time of the fit, to which ``time`` is relative.
    private var origin: UInt64 = 0
    private var time = 0.0
    private var perFrame: Double
    private var count = 0.0
    private var frames = 0
    private var meanSquare = 0.0
    /// Frames whose times were left out, less those whose times agreed since: the fit follows the majority.
    private var astray = 0

    /// Bandwidth of the loop in hertz: it averages over the bursts in which sound servers ask for blocks, and follows within half a second
    /// when frames are skipped without a report by the driver.
    private static let bandwidth = 1.0
    /// Nanoseconds by which a time may always differ from the fit.
    private static let tolerance = 2e6
    /// Largest difference of the frames' rate from the nominal one, as a share.
    private static let largestDrift = 0.01

    /// - Parameter rate: nominal frames per second.
    init(rate: Int) {
        nominal = 1e9 / Double(rate)
        perFrame = nominal
    }

    /// Begins a new fit with the next time.
    mutating func restart() { (count, frames, astray, meanSquare, perFrame) = (0, 0, 0, 0, nominal) }

    /// Adds a time and returns the fitted one.
    ///
    /// - Parameters:
    ///   - reported: CLOCK_MONOTONIC nanoseconds.
    ///   - step: frames since the time before.
    mutating func fit(_ reported: UInt64, after step: Int) -> UInt64 {
        guard count > 0 else {
            (origin, time, count) = (reported, 0, 1)
            return reported
        }
        frames += step
        time += perFrame * Double(step)
        let error = Double(Int64(bitPattern: reported &- origin)) - time
        guard !leaves(error, step) else { return astray > 0 ? fitted : reported }
        astray = max(0, astray - step)
        count += 1
        let omega = 2 * .pi * Self.bandwidth * nominal * 1e-9 * Double(step)
        time += max(2.squareRoot() * omega, 2 * (2 * count - 1) / (count * (count + 1))) * error
        let slope = max(omega * omega, 6 / (count * (count + 1))) * error / Double(step)
        perFrame = min(max(perFrame + slope, nominal * (1 - Self.largestDrift)), nominal * (1 + Self.largestDrift))
        meanSquare += max(omega, 1 / count) * (error * error - meanSquare)
        return fitted
    }

    private var fitted: UInt64 { origin &+ UInt64(bitPattern: Int64(clamping: time)) }

    /// Returns whether a time is to be left out, and begins a new fit when such times persist for half a second.
    private mutating func leaves(_ error: Double, _ step: Int) -> Bool {
        let isKnown = Double(frames) * nominal > 1e9
        guard isKnown, abs(error) > 8 * residual + Self.tolerance else { return false }
        if astray == 0 { jumps += 1 }
        astray += step
        guard Double(astray) * nominal > 5e8 else { return true }
        let reported = origin &+ UInt64(bitPattern: Int64(clamping: time + error))
        restart()
        (origin, time, count) = (reported, 0, 1)
        return true
    }
}
