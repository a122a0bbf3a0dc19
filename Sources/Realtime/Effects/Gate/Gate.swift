internal import CRealtime
internal import DSP

/// Silences quiet sound: opens above a threshold and closes a hold time after the last sample above a lower one.
///
/// The gain passes a second pole, so that its slope is continuous. No latency, no tail.
public struct Gate: ~Copyable, Effect {
    public struct Settings: EffectSettings {
        /// Level above which the gate opens, dBFS.
        public var threshold: Float
        /// Distance below the threshold at which the gate begins to close, dB.
        public var hysteresis: Float
        /// Time constant of opening, milliseconds.
        public var attack: Float
        /// Time the gate stays open after the last loud sample, milliseconds; at least ``Gate/bridge``.
        public var hold: Float
        /// Time constant of closing, milliseconds.
        public var release: Float
        /// Gain of the closed gate, dB; at -90 dB it is silent.
        public var range: Float
    }

    /// Shortest hold time: half a period of 40 Hz, so that the gate stays open between the peaks of a low tone. Seconds.
    private static var bridge: Float { @_noLocks @_noAllocation get { 0.0125 } }

    private let rate: Float
    private var floor = Smoother()
    private var gain: Float = 0
    private var lead: Float = 0
    private var isOpen = false
    /// Frames since the last loud sample.
    private var held: Float = 0

    /// Current gain reduction in dB, 0 to 90.
    public var reduction: Float { @_noLocks @_noAllocation get { -20 * rt_log10(min(1, max(3.2e-5, gain))) } }

    public static let measuresReduction = true
    public let latency = 0

    public init(rate: Float, largestBlock: Int) { self.rate = rate }

    @_noLocks @_noAllocation
    public func tail(_ settings: Settings) -> Int { 0 }

    @_noLocks @_noAllocation
    public mutating func reset() {
        floor.reset()
        gain = 0
        lead = 0
        isOpen = false
        held = 0
    }

    @_noLocks @_noAllocation
    public mutating func process(
        _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, frames: Int, settings: Settings
    ) {
        let share = Smoother.share(frames: frames, rate: rate)
        let floors = floor.ramp(
            to: settings.range <= -89.9 ? 0 : rt_exp2(settings.range * 0.16609640), share: share, frames: frames)
        let opening = rt_exp2(settings.threshold * 0.16609640)
        let closing = opening * rt_exp2(-settings.hysteresis * 0.16609640)
        // 0.1 ms of each time belongs to the second pole.
        let attack = LowPass.Coefficients(seconds: max(settings.attack - 0.1, 0.1) / 1000, rate: rate)
        let release = LowPass.Coefficients(seconds: max(settings.release - 0.1, 0.1) / 1000, rate: rate)
        let corner = LowPass.Coefficients(seconds: 0.0001, rate: rate)
        let hold = max(settings.hold / 1000, Self.bridge) * rate
        var at = 0
        while at < frames {
            let count = min(laneCount, frames &- at)
            let xLeft = left.lanes(at)
            let xRight = right.lanes(at)
            let level = rt_max16(rt_abs16(xLeft), rt_abs16(xRight))
            let floor = floors.lanes(at)
            let isSame = staysAsItIs(level, count, opening: opening, closing: closing, hold: hold)
            // Frame by frame only where it opens or closes.
            let gains: Lanes
            if isSame {
                gains = isOpen ? smooth(to: 1, attack, corner) : smooth(to: 0, release, corner)
            } else {
                gains = smooth(opened(level, count, opening, closing, hold), count, attack, release, corner)
            }
            let whole = rt_fma16(gains, 1 - floor, floor)
            left.setLanes(at, xLeft * whole)
            right.setLanes(at, xRight * whole)
            at = at &+ count
        }
    }

    /// Returns true when the gate stays open or closed through all of these frames, and counts them in that case.
    @_noLocks @_noAllocation @inline(__always)
    private mutating func staysAsItIs(_ level: Lanes, _ count: Int, opening: Float, closing: Float, hold: Float) -> Bool {
        guard count == laneCount else { return false }
        let highest = rt_largest16(level)
        guard isOpen else { return highest < opening }
        guard held + 16 <= hold else { return false }
        held += 16
        if highest >= closing {
            var last = laneCount &- 1
            while last > 0, level[last] < closing { last = last &- 1 }
            held = Float(laneCount &- 1 &- last)
        }
        return true
    }

    /// Returns 1 where the gate is open, 0 where it is closed.
    @_noLocks @_noAllocation @inline(__always)
    private mutating func opened(_ level: Lanes, _ count: Int, _ opening: Float, _ closing: Float, _ hold: Float) -> Lanes {
        var open = Lanes.zero
        for i in 0..<count {
            if level[i] >= (isOpen ? closing : opening) {
                isOpen = true
                held = 0
            } else if isOpen {
                held += 1
                isOpen = held <= hold
            }
            open[i] = isOpen ? 1 : 0
        }
        return open
    }

    /// Gain while it approaches one target.
    @_noLocks @_noAllocation @inline(__always)
    private mutating func smooth(
        to target: Float, _ time: LowPass.Coefficients, _ corner: LowPass.Coefficients
    ) -> Lanes {
        let leads = rt_fma16(rt_all16(lead - target), time.decay, rt_all16(target))
        let gains = corner.run(leads, after: rt_all16(gain))
        (lead, gain) = (leads[15], gains[15])
        return gains
    }

    /// Gain while the gate opens and closes.
    @_noLocks @_noAllocation @inline(__always)
    private mutating func smooth(
        _ open: Lanes, _ count: Int, _ attack: LowPass.Coefficients, _ release: LowPass.Coefficients,
        _ corner: LowPass.Coefficients
    ) -> Lanes {
        var gains = Lanes.zero
        for i in 0..<count {
            let target = open[i]
            lead = target + (lead - target) * (target > 0 ? attack.pole : release.pole)
            gain = lead + (gain - lead) * corner.pole
            gains[i] = gain
        }
        return gains
    }
}
