internal import CRealtime
internal import DSP

/// A delay of two channels that a sine modulates: the common part of chorus, flanger and vibrato.
///
/// At the beginning of each block, ``modulation(frames:frequency:amplitude:shortest:lead:)`` is called. Every vector of frames is then
/// written, read at the delays of its copies, and passed by ``advance(_:_:)``.
struct ModulatedDelay: ~Copyable, Sendable {
    /// The modulation of one block.
    struct Modulation: BitwiseCopyable {
        /// Increment of the phase per frame.
        fileprivate let step: UInt32
        /// Target of the sine's amplitude, samples.
        fileprivate let amplitude: Double
        /// Target of the shortest delay, samples.
        fileprivate let shortest: Double
        /// Phase lead of the right side, turns.
        let lead: Ramp
        /// Whether the sides differ.
        fileprivate let isStereo: Bool
    }

    /// Amplitude and shortest delay at sixteen frames.
    struct Course: BitwiseCopyable {
        /// Amplitude of the sine, samples.
        let amplitude: Lanes
        /// Shortest delay, samples.
        let shortest: Lanes
    }

    /// Largest change of a delay that is ramped, samples per frame.
    private static var fastest: Double { @_noLocks @_noAllocation get { 0.4 } }
    /// Samples that the interpolation needs after a position.
    static var shortest: Float { @_noLocks @_noAllocation get { 3 } }

    private let rate: Float
    private var left: DelayLine
    private var right: DelayLine
    private var oscillator = Oscillator()
    private var frequency = Smoother()
    private var amplitude: DelaySmoother
    private var shortest: DelaySmoother
    private var lead = Smoother()

    /// - Parameter seconds: the longest delay.
    init(rate: Float, seconds: Float) {
        self.rate = rate
        let longest = Int(clamping: rate * seconds) + 32
        left = DelayLine(longest: longest)
        right = DelayLine(longest: longest)
        amplitude = DelaySmoother(rate: rate)
        shortest = DelaySmoother(rate: rate)
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

    /// Returns the modulation of the next block, which moves towards the given values.
    ///
    /// - Parameters:
    ///   - frequency: modulation frequency, Hz.
    ///   - amplitude: amplitude of the delay's sine, samples.
    ///   - shortest: shortest delay, samples.
    ///   - lead: phase lead of the right side, turns.
    @_noLocks @_noAllocation @inline(__always)
    mutating func modulation(
        frames: Int, frequency: Float, amplitude: Float, shortest: Float, lead: Float
    ) -> Modulation {
        let share = Smoother.share(frames: frames, rate: rate)
        let leads = self.lead.ramp(to: lead, share: share, frames: frames)
        if self.shortest.delay < 0 {
            self.amplitude.jump(to: Double(amplitude))
            self.shortest.jump(to: Double(shortest))
        }
        return Modulation(
            step: Oscillator.step(self.frequency.advance(to: frequency, share: share), rate: rate),
            amplitude: Double(amplitude), shortest: Double(shortest), lead: leads, isStereo: !leads.isZero)
    }

    /// Phases of the modulation at the next sixteen frames, turns.
    @_noLocks @_noAllocation @inline(__always)
    func turns(_ modulation: Modulation) -> Lanes { oscillator.turns(step: modulation.step) }

    /// Advances amplitude and shortest delay, which are smoothed, by up to sixteen frames.
    @_noLocks @_noAllocation @inline(__always)
    mutating func course(_ modulation: Modulation, count: Int) -> Course {
        Course(
            amplitude: Self.lanes(&amplitude, to: modulation.amplitude, count: count),
            shortest: Self.lanes(&shortest, to: modulation.shortest, count: count))
    }

    @_noLocks @_noAllocation @inline(__always)
    private static func lanes(_ smoother: inout DelaySmoother, to target: Double, count: Int) -> Lanes {
        guard !smoother.isResting(at: target) else { return rt_all16(Float(target)) }
        return smoother.advance(to: target, limit: fastest, frames: count).lanes
    }

    /// Delays of sixteen frames on the two sides.
    ///
    /// - Parameters:
    ///   - turns: phases of the left side.
    ///   - middle: mean delays.
    ///   - amplitude: amplitude of the sine.
    ///   - at: first frame, from the beginning of the block.
    @_noLocks @_noAllocation @inline(__always)
    func delays(
        _ turns: Lanes, around middle: Lanes, amplitude: Lanes, _ modulation: Modulation, at: Int
    ) -> (left: Lanes, right: Lanes) {
        let left = rt_fma16(amplitude, rt_sine16(turns), middle)
        guard modulation.isStereo else { return (left, left) }
        return (left, rt_fma16(amplitude, rt_sine16(rt_fold16(turns + modulation.lead.lanes(at))), middle))
    }

    @_noLocks @_noAllocation @inline(__always)
    func write(_ leftSamples: Lanes, _ rightSamples: Lanes) {
        left.write(leftSamples)
        right.write(rightSamples)
    }

    /// Reads both sides. Delays must be longer than ``shortest`` plus the number of frames that are read before they are written.
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
