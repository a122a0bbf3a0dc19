internal import CRealtime
internal import DSP

/// A delay of two channels that a sine modulates: the common part of chorus, flanger and vibrato.
///
/// Each block takes its ``Modulation`` first. Every vector of frames is then written, read at the delays of its copies, and
/// advanced over.
struct ModulatedDelay: ~Copyable, Sendable {
    /// The modulation of one block.
    struct Modulation: BitwiseCopyable {
        /// Increment of the phase per frame.
        fileprivate let step: UInt32
        /// Amplitude of the sine, samples.
        let amplitude: Ramp
        /// Shortest delay, samples.
        let shortest: Ramp
        /// Phase lead of the right side, turns.
        let lead: Ramp
        /// Whether the sides differ.
        fileprivate let isStereo: Bool
    }

    /// Samples that the interpolation needs after a position.
    static var shortest: Float { @_noLocks @_noAllocation get { 3 } }

    private let rate: Float
    private var left: DelayLine
    private var right: DelayLine
    private var oscillator = Oscillator()
    private var frequency = Smoother()
    private var amplitude = Smoother()
    private var shortest = Smoother()
    private var lead = Smoother()

    /// - Parameter seconds: the longest delay.
    init(rate: Float, seconds: Float) {
        self.rate = rate
        let longest = Int(clamping: rate * seconds) + 32
        left = DelayLine(longest: longest)
        right = DelayLine(longest: longest)
    }

    @_noLocks @_noAllocation
    mutating func reset() {
        left.reset()
        right.reset()
        oscillator.reset()
        frequency.reset()
        amplitude.reset()
        shortest.reset()
        lead.reset()
    }

    /// The modulation of the next block, which approaches the given one.
    ///
    /// - Parameters:
    ///   - frequency: of the modulation, Hz.
    ///   - amplitude: of the delay's sine, samples.
    ///   - shortest: shortest delay, samples.
    ///   - lead: phase lead of the right side, turns.
    @_noLocks @_noAllocation @inline(__always)
    mutating func modulation(
        frames: Int, frequency: Float, amplitude: Float, shortest: Float, lead: Float
    ) -> Modulation {
        let share = Smoother.share(frames: frames, rate: rate)
        // A changing delay shifts the pitch, so it takes longer.
        let slow = Smoother.share(frames: frames, rate: rate, seconds: 0.15)
        let leads = self.lead.ramp(to: lead, share: share, frames: frames)
        return Modulation(
            step: Oscillator.step(self.frequency.advance(to: frequency, share: share), rate: rate),
            amplitude: self.amplitude.ramp(to: amplitude, share: slow, frames: frames),
            shortest: self.shortest.ramp(to: shortest, share: slow, frames: frames),
            lead: leads, isStereo: !leads.isZero)
    }

    /// Phases of the modulation at the next sixteen frames, turns.
    @_noLocks @_noAllocation @inline(__always)
    func turns(_ modulation: Modulation) -> Lanes { oscillator.turns(step: modulation.step) }

    /// Delays of sixteen frames on the two sides.
    ///
    /// - Parameters:
    ///   - turns: phases of the left side.
    ///   - middle: mean delays.
    ///   - at: first frame, from the beginning of the block.
    @_noLocks @_noAllocation @inline(__always)
    func delays(
        _ turns: Lanes, around middle: Lanes, _ modulation: Modulation, at: Int
    ) -> (left: Lanes, right: Lanes) {
        let amplitude = modulation.amplitude.lanes(at)
        let left = rt_fma16(amplitude, rt_sine16(turns), middle)
        guard modulation.isStereo else { return (left, left) }
        return (left, rt_fma16(amplitude, rt_sine16(rt_fold16(turns + modulation.lead.lanes(at))), middle))
    }

    @_noLocks @_noAllocation @inline(__always)
    func write(_ leftSamples: Lanes, _ rightSamples: Lanes) {
        left.write(leftSamples)
        right.write(rightSamples)
    }

    /// Delays are longer than ``shortest`` plus the number of frames that are read before they are written.
    ///
    /// - Parameters:
    ///   - whole: whole samples of the delay.
    ///   - further: additional delays of the two sides, samples, small numbers.
    @_noLocks @_noAllocation @inline(__always)
    func read(_ whole: Int, further: (left: Lanes, right: Lanes)) -> (left: Lanes, right: Lanes) {
        (left.read(whole, exactly: further.left), right.read(whole, exactly: further.right))
    }

    @_noLocks @_noAllocation @inline(__always)
    mutating func advance(_ count: Int, _ modulation: Modulation) {
        left.advance(count)
        right.advance(count)
        oscillator.advance(count, step: modulation.step)
    }
}
