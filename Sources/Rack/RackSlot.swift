internal import CRealtime
internal import Effects
public import Parameters

/// An effect in a rack: with a bypass that rings out, and a share of dry sound that waits for it.
public struct RackSlot: ~Copyable, Sendable {
    private var unit: EffectUnit
    private var dry: Lag
    private let rate: Float
    // SAFETY: owned by this value alone, which cannot be copied.
    private nonisolated(unsafe) let values: UnsafeMutablePointer<Float>
    private let count: Int
    private var isBypassed: Bool
    private var mix: Float
    /// Where the fades are: of what enters the effect, of what leaves it, of what passes it.
    private var now: SIMD4<Float>
    /// Frames for which nothing has entered the effect.
    private var quiet: Int

    public init(
        _ slot: RackDescription.Slot, rate: Float, largestBlock: Int,
        response: (left: [Float], right: [Float]) = ([], [])
    ) {
        unit = EffectUnit(slot.kind, rate: rate, largestBlock: largestBlock, response: response)
        dry = Lag(samples: unit.latency, largestBlock: largestBlock)
        self.rate = rate
        count = slot.values.count
        values = .allocate(capacity: max(1, count))
        for i in 0..<count { (values + i).initialize(to: slot.values[i]) }
        isBypassed = slot.bypass
        mix = slot.mix
        now = Self.shares(isBypassed, mix)
        quiet = isBypassed ? 1 << 40 : 0
    }

    deinit { values.deallocate() }

    public var kind: EffectKind { @_noLocks @_noAllocation get { unit.kind } }
    public var latency: Int { @_noLocks @_noAllocation get { dry.samples } }
    public var tail: Int { @_noLocks @_noAllocation get { unit.tail(values) } }

    /// A parameter that is a number, by its place among those.
    @_noLocks @_noAllocation
    public mutating func set(_ parameter: Int, _ value: Float) {
        precondition(parameter >= 0 && parameter < count)
        values[parameter] = value
    }

    @_noLocks @_noAllocation
    public mutating func set(bypass: Bool) { isBypassed = bypass }

    @_noLocks @_noAllocation
    public mutating func set(mix: Float) { self.mix = mix }

    /// Bypassed, nothing enters, what is inside still leaves, and all of the dry sound passes.
    @_noLocks @_noAllocation
    private static func shares(_ isBypassed: Bool, _ mix: Float) -> SIMD4<Float> {
        isBypassed ? SIMD4(0, mix, 1, 0) : SIMD4(1, mix, 1 - mix, 0)
    }

    /// One block, in place; bypassed and rung out, not a bit of it changes.
    @_noLocks @_noAllocation
    public mutating func process(
        _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, frames: Int
    ) {
        let wanted = Self.shares(isBypassed, mix)
        let before = now
        now = before + (wanted - before) * (1 - rt_exp(-Float(frames) / (0.01 * rate)))
        let rest = wanted - now
        if (rest * rest).max() < 1e-9 { now = wanted }
        let step = (now - before) / Float(frames)
        let isOut = before[0] == 0 && now[0] == 0
        dry.take(left, right, frames: frames)
        if isOut && quiet > tail {
            // Nothing to add.
            if dry.samples > 0 {
                rt_copy(left, dry.left, frames)
                rt_copy(right, dry.right, frames)
            }
        } else {
            quiet = isOut ? quiet &+ frames : 0
            if before[0] != 1 || now[0] != 1 { fade(left, right, frames, from: before[0], step: step[0]) }
            unit.process(left, right, frames: frames, values: values)
            if before[1] != 1 || now[1] != 1 || before[2] != 0 || now[2] != 0 {
                join(left, right, frames, before, step)
            }
        }
        dry.advance(frames)
    }

    @_noLocks @_noAllocation
    private func fade(
        _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, _ frames: Int, from: Float,
        step: Float
    ) {
        for i in 0..<frames {
            let gain = from + step * Float(i &+ 1)
            left[i] *= gain
            right[i] *= gain
        }
    }

    @_noLocks @_noAllocation
    private func join(
        _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, _ frames: Int,
        _ from: SIMD4<Float>, _ step: SIMD4<Float>
    ) {
        let (dryLeft, dryRight) = (dry.left, dry.right)
        for i in 0..<frames {
            let n = Float(i &+ 1)
            let wet = from[1] + step[1] * n
            let through = from[2] + step[2] * n
            left[i] = wet * left[i] + through * dryLeft[i]
            right[i] = wet * right[i] + through * dryRight[i]
        }
    }
}
