internal import CRealtime
package import DSP
package import Effects

/// An effect in a rack, with a bypass that rings out, a dry share aligned with the effect, and fades in and out without
/// clicks.
///
/// Plain values: the owner sets ``controls`` before a block, and reads level, reduction and state after it.
public struct RackSlot: ~Copyable, Sendable {
    /// Stage in the life of a slot.
    public enum Stage: BitwiseCopyable, Sendable {
        case live
        /// Removed from the rack: it gets no input and rings out.
        case leaving
        /// Like `leaving`, without ringing out.
        case cut
    }

    /// Indices among the controls; the effect's numeric parameters follow from `first` on.
    public enum Control {
        public static var bypass: Int { @_noLocks @_noAllocation get { 0 } }
        public static var mix: Int { @_noLocks @_noAllocation get { 1 } }
        public static var first: Int { @_noLocks @_noAllocation get { 2 } }
    }

    private var unit: EffectUnit
    private var dry: FixedDelay
    private let law: WetDry.Law
    private let rate: Float
    // SAFETY: owned by this value alone, which cannot be copied. Bypass, mix and values, indexed as in ``Control``.
    package nonisolated(unsafe) let controls: UnsafeMutablePointer<Float>
    /// Number of controls.
    package let count: Int
    /// Largest sample of the last block.
    package private(set) var level: Float = 0
    /// Gain reduction of the effect in the last block, dB; 0 where it did not run.
    package private(set) var reduction: Float = 0
    /// Whether a slot that was removed has become inaudible.
    package private(set) var isGone = false
    /// Whether the effect was cleared in the last block because its output had left the range of plausible sound.
    package private(set) var wasReset = false
    /// Present values of the fades: input of the effect, output of the effect, dry sound aligned with it, dry sound
    /// without delay.
    private var now: SIMD4<Float>
    /// Frames without input to the effect.
    private var quiet: Int
    /// Frames until the input of a new slot has reached its output; until then all sound passes without delay.
    private var warmth: Int

    /// - Parameters:
    ///   - values: one for each numeric parameter.
    ///   - enters: whether the slot is added to running sound and fades in.
    package init(
        _ kind: EffectKind, values: [Float], mix: Float, bypass: Bool, rate: Float, largestBlock: Int,
        response: ResponseSpectra?, enters: Bool
    ) {
        unit = EffectUnit(kind, rate: rate, largestBlock: largestBlock, values: values, response: response)
        law = kind.wetDry.law
        dry = FixedDelay(samples: unit.latency, largestBlock: largestBlock)
        self.rate = rate
        let initial = [bypass ? 1 : 0, mix] + values
        count = initial.count
        controls = .allocate(capacity: count)
        controls.initialize(from: initial, count: count)
        let gains = law.gains(mix)
        now = enters ? SIMD4(0, gains.wet, 0, 1) : Self.shares(.live, bypass, gains)
        quiet = bypass && !enters ? 1 << 40 : 0
        warmth = enters ? unit.latency : 0
    }

    deinit { controls.deallocate() }

    /// Values of the numeric parameters.
    private var values: UnsafeMutablePointer<Float> { @_noLocks @_noAllocation get { controls + Control.first } }

    /// Number of times that the effect was cleared because it had left the range of plausible sound.
    package var counts: RangeCounts { @_noLocks @_noAllocation get { unit.counts } }

    public var latency: Int { @_noLocks @_noAllocation get { dry.samples } }

    /// Samples after the end of the input until the output is below -60 dB.
    /// - Parameter tempo: beats per minute.
    @_noLocks @_noAllocation
    public func tail(tempo: Float) -> Int { unit.tail(values, tempo: tempo) }

    /// Sets a numeric parameter by its index among those.
    @_noLocks @_noAllocation
    public mutating func set(_ parameter: Int, _ value: Float) {
        precondition(parameter >= 0 && Control.first &+ parameter < count)
        values[parameter] = value
    }

    @_noLocks @_noAllocation
    public mutating func set(bypass: Bool) { controls[Control.bypass] = bypass ? 1 : 0 }

    @_noLocks @_noAllocation
    public mutating func set(mix: Float) { controls[Control.mix] = mix }

    /// Targets of the fades. Bypassed, the effect gets no input, its output continues, and all dry sound passes; when
    /// the slot is removed, the dry sound is no longer delayed.
    @_noLocks @_noAllocation
    private static func shares(_ stage: Stage, _ isBypassed: Bool, _ gains: (wet: Float, dry: Float)) -> SIMD4<Float> {
        switch stage {
        case .live: isBypassed ? SIMD4(0, gains.wet, 1, 0) : SIMD4(1, gains.wet, gains.dry, 0)
        case .leaving: SIMD4(0, gains.wet, 0, 1)
        case .cut: SIMD4(0, 0, 0, 1)
        }
    }

    /// Processes one block in place; when bypassed and silent, it changes nothing.
    ///
    /// - Parameter tempo: beats per minute.
    @_noLocks @_noAllocation
    public mutating func process(
        _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, frames: Int, tempo: Float,
        stage: Stage = .live
    ) {
        let before = now
        (reduction, wasReset) = (0, false)
        fade(to: Self.shares(stage, controls[Control.bypass] >= 0.5, law.gains(controls[Control.mix])), frames)
        let shares = VectorRamp(from: before, to: now, frames: frames)
        let isClosed = before[0] == 0 && now[0] == 0
        dry.take(left, right, frames: frames)
        if isClosed && (quiet > unit.tail(values, tempo: tempo) || before[1] == 0 && now[1] == 0) {
            passAlone(left, right, frames, shares)
            if stage != .live && before[3] == 1 && before[2] == 0 { isGone = true }
        } else {
            quiet = isClosed ? quiet &+ frames : 0
            if before[0] != 1 || now[0] != 1 { shares[0].scale(left, right, frames: frames) }
            let resets = unit.counts.resets
            unit.process(left, right, frames: frames, values: values, tempo: tempo)
            wasReset = unit.counts.resets != resets
            if before != SIMD4(1, 1, 0, 0) || now != before { join(left, right, frames, shares) }
            reduction = unit.reduction
        }
        level = RackRunner.peak(left, right, frames)
        dry.advance(frames)
    }

    @_noLocks @_noAllocation
    private mutating func fade(to wanted: SIMD4<Float>, _ frames: Int) {
        var wanted = wanted
        if warmth > 0 {
            warmth = warmth &- frames
            (wanted[2], wanted[3]) = (now[2], now[3])
        }
        // A fade ends in the block in which it comes within 0.001 (-60 dB) of its target.
        let share = Smoother.share(frames: frames, rate: rate, seconds: SmoothingTime.slot)
        now = Smoother.next(now, to: wanted, share: share, tolerance: 1e-3)
    }

    /// Processes a block while the effect is silent: passes the dry sound without delay, aligned, or both during a crossfade.
    @_noLocks @_noAllocation
    private func passAlone(
        _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, _ frames: Int,
        _ shares: VectorRamp<SIMD4<Float>>
    ) {
        guard dry.samples > 0 else { return }
        if shares[2].isOne {
            rt_copy(left, dry.left, frames)
            rt_copy(right, dry.right, frames)
        } else if !shares[3].isOne {
            rt_zero(left, frames)
            rt_zero(right, frames)
            join(left, right, frames, shares)
        }
    }

    @_noLocks @_noAllocation
    private func join(
        _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, _ frames: Int,
        _ shares: VectorRamp<SIMD4<Float>>
    ) {
        let (lateLeft, lateRight) = (dry.left, dry.right)
        let (nowLeft, nowRight) = (dry.left + dry.samples, dry.right + dry.samples)
        for i in 0..<frames {
            let shares = shares.value(at: i)
            left[i] = shares[1] * left[i] + shares[2] * lateLeft[i] + shares[3] * nowLeft[i]
            right[i] = shares[1] * right[i] + shares[2] * lateRight[i] + shares[3] * nowRight[i]
        }
    }
}
