internal import CRealtime
public import Crossing
internal import DSP
public import Effects
internal import Parameters

/// An effect in a rack, with a bypass that rings out, a dry share aligned with the effect, and fades in and out without
/// clicks.
public struct RackSlot: ~Copyable, Sendable {
    /// Stage in the life of a slot.
    public enum Stage: BitwiseCopyable, Sendable {
        case live
        /// Removed from the rack: it gets no input and rings out.
        case leaving
        /// Like `leaving`, without ringing out.
        case cut
    }

    /// Indices in the row of controls; the effect's numeric parameters follow from `first` on.
    public enum Control {
        public static var bypass: Int { @_noLocks @_noAllocation get { 0 } }
        public static var mix: Int { @_noLocks @_noAllocation get { 1 } }
        public static var first: Int { @_noLocks @_noAllocation get { 2 } }
    }

    /// Indices in the row of meters: the largest sample and the largest reduction in dB since they were read, 1 when a
    /// removed slot has become inaudible, and how often the effect was cleared because its output had left the range of
    /// plausible sound, in all and with samples that were not finite.
    public enum Meter {
        public static var level: Int { @_noLocks @_noAllocation get { 0 } }
        public static var reduction: Int { @_noLocks @_noAllocation get { 1 } }
        public static var gone: Int { @_noLocks @_noAllocation get { 2 } }
        public static var resets: Int { @_noLocks @_noAllocation get { 3 } }
        public static var nonFinite: Int { @_noLocks @_noAllocation get { 4 } }
        public static var count: Int { 5 }
    }

    private var unit: EffectUnit
    private var dry: FixedDelay
    private let law: WetDry.Law
    private let rate: Float
    // SAFETY: owned by this value alone, which cannot be copied.
    private nonisolated(unsafe) let values: UnsafeMutablePointer<Float>
    private let count: Int
    private let owners: (controls: TargetRow, meters: TargetRow)
    private let controls: TargetRow.View
    private let meters: TargetRow.View
    /// Present values of the fades: input of the effect, output of the effect, dry sound aligned with it, dry sound
    /// without delay.
    private var now: SIMD4<Float>
    /// Frames without input to the effect.
    private var quiet: Int
    /// Frames until the input of a new slot has reached its output; until then all sound passes without delay.
    private var warmth: Int
    /// - Parameters:
    ///   - controls: the parameters, as made by ``controls(_:)``; several slots may share one row.
    ///   - meters: row for the reports.
    ///   - enters: whether the slot is added to running sound and fades in.
    public init(
        _ slot: RackDescription.Slot, rate: Float, largestBlock: Int,
        response: ResponseSpectra? = nil, controls: TargetRow? = nil, meters: TargetRow? = nil,
        enters: Bool = false
    ) {
        unit = EffectUnit(slot.kind, rate: rate, largestBlock: largestBlock, values: slot.values, response: response)
        law = slot.kind.wetDry.law
        dry = FixedDelay(samples: unit.latency, largestBlock: largestBlock)
        self.rate = rate
        count = slot.values.count
        values = .allocate(capacity: max(1, count))
        values.initialize(repeating: 0, count: max(1, count))
        owners = (
            controls ?? Self.controls(slot), meters ?? TargetRow(.init(repeating: 0, count: Meter.count))
        )
        self.controls = owners.controls.view
        self.meters = owners.meters.view
        let gains = law.gains(slot.mix)
        now = enters ? SIMD4(0, gains.wet, 0, 1) : Self.shares(.live, slot.bypass, gains)
        quiet = slot.bypass && !enters ? 1 << 40 : 0
        warmth = enters ? unit.latency : 0
    }

    /// Makes the row of controls of a slot.
    public static func controls(_ slot: RackDescription.Slot) -> TargetRow {
        TargetRow([slot.bypass ? 1 : 0, slot.mix] + slot.values)
    }

    deinit { values.deallocate() }

    /// Number of times that the effect was cleared because it had left the range of plausible sound.
    var counts: RangeCounts { unit.counts }

    public var latency: Int { @_noLocks @_noAllocation get { dry.samples } }

    /// Samples after the end of the input until the output is below -60 dB.
    /// - Parameter tempo: beats per minute.
    @_noLocks @_noAllocation
    public func tail(tempo: Float) -> Int {
        loadValues()
        return unit.tail(values, tempo: tempo)
    }

    /// Sets a numeric parameter by its index among those.
    @_noLocks @_noAllocation
    public mutating func set(_ parameter: Int, _ value: Float) {
        precondition(parameter >= 0 && parameter < count)
        controls.set(Control.first &+ parameter, value)
    }

    @_noLocks @_noAllocation
    public mutating func set(bypass: Bool) { controls.set(Control.bypass, bypass ? 1 : 0) }

    @_noLocks @_noAllocation
    public mutating func set(mix: Float) { controls.set(Control.mix, mix) }

    @_noLocks @_noAllocation
    private func loadValues() { for i in 0..<count { values[i] = controls[Control.first &+ i] } }

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
        loadValues()
        let before = now
        fade(to: Self.shares(stage, controls[Control.bypass] >= 0.5, law.gains(controls[Control.mix])), frames)
        let shares = VectorRamp(from: before, to: now, frames: frames)
        let isClosed = before[0] == 0 && now[0] == 0
        dry.take(left, right, frames: frames)
        if isClosed && (quiet > unit.tail(values, tempo: tempo) || before[1] == 0 && now[1] == 0) {
            passAlone(left, right, frames, shares)
            if stage != .live && before[3] == 1 && before[2] == 0 { meters.set(Meter.gone, 1) }
        } else {
            quiet = isClosed ? quiet &+ frames : 0
            if before[0] != 1 || now[0] != 1 { shares[0].scale(left, right, frames: frames) }
            let resets = unit.counts.resets
            unit.process(left, right, frames: frames, values: values, tempo: tempo)
            if unit.counts.resets != resets { reportResets() }
            if before != SIMD4(1, 1, 0, 0) || now != before { join(left, right, frames, shares) }
            meters.raise(Meter.reduction, to: unit.reduction)
        }
        meters.raise(Meter.level, to: RackRunner.peak(left, right, frames))
        dry.advance(frames)
    }

    @_noLocks @_noAllocation @inline(never)
    private func reportResets() {
        meters.set(Meter.resets, Float(unit.counts.resets))
        meters.set(Meter.nonFinite, Float(unit.counts.nonFinite))
    }

    @_noLocks @_noAllocation
    private mutating func fade(to wanted: SIMD4<Float>, _ frames: Int) {
        var wanted = wanted
        if warmth > 0 {
            warmth = warmth &- frames
            (wanted[2], wanted[3]) = (now[2], now[3])
        }
        now += (wanted - now) * Smoother.share(frames: frames, rate: rate, seconds: SmoothingTime.slot)
        let rest = wanted - now
        // The last 60 dB end within a block; a share that is not a number ends at once.
        if (rest * rest).max() < 1e-6 || rest.sum() != rest.sum() { now = wanted }
    }

    /// The effect is silent: passes the dry sound without delay, aligned, or both during a crossfade.
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
