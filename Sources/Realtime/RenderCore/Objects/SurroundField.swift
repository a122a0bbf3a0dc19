internal import CRealtime
internal import DSP

/// Sound from all around: a mono sum, made into sixteen signals of equal level and different phases, from directions spread evenly over the
/// sphere.
///
/// Each signal is the sum through sparse noise, a series of pulses that decays within 25 ms (V. Välimäki et al., Late reverberation
/// synthesis using filtered velvet noise, 2017).
struct SurroundField: ~Copyable, Sendable {
    /// Number of directions.
    static var count: Int { @_noLocks @_noAllocation get { 16 } }
    private static var pulses: Int { @_noLocks @_noAllocation get { 24 } }
    /// Length of the noise, seconds.
    private static var length: Float { @_noLocks @_noAllocation get { 0.025 } }

    /// Samples for which it sounds after its input has ended.
    let tail: Int
    private let input: Rows
    private let history: Int
    // SAFETY: owned by this value alone, which cannot be copied; written by the initializer only.
    private nonisolated(unsafe) let places: UnsafeMutablePointer<Int>
    // SAFETY: as above.
    private nonisolated(unsafe) let gains: UnsafeMutablePointer<Float>
    private var lastFrames = 0
    /// Frames until it is silent.
    private(set) var remaining = 0
    private var hasInput = false

    init(rate: Float, period: Int) {
        tail = Int(clamping: Self.length * rate) + 1
        history = roundedToLanes(tail)
        input = Rows(rows: 1, length: history + period)
        places = .allocate(capacity: Self.count * Self.pulses)
        gains = .allocate(capacity: Self.count * Self.pulses)
        var random = SeededRandom(seed: 16)
        for direction in 0..<Self.count {
            var power = 0.0
            for pulse in 0..<Self.pulses {
                // One pulse in each part of the length, at a random place in it.
                let time = (Double(pulse) + random.unit()) / Double(Self.pulses)
                let gain = Float(random.unit() < 0.5 ? -1 : 1) * rt_exp(-3 * Float(time))
                places[direction * Self.pulses + pulse] = Int(clamping: time * Double(Self.length * rate))
                gains[direction * Self.pulses + pulse] = gain
                power += Double(gain * gain)
            }
            let scale = 1 / rt_sqrt(Float(power) * Float(Self.count))
            for pulse in 0..<Self.pulses { gains[direction * Self.pulses + pulse] *= scale }
        }
    }

    deinit {
        places.deallocate()
        gains.deallocate()
    }

    /// Forgets the sound of the past.
    @_noLocks @_noAllocation
    mutating func clear() {
        remaining = 0
        hasInput = false
    }

    /// Begins a block with silence.
    @_noLocks @_noAllocation
    mutating func begin(_ frames: Int) {
        let first = input.row(0)
        if remaining > 0 { rt_move(first, first + lastFrames, history) } else { rt_zero(first, history) }
        rt_zero(first + history, roundedToLanes(frames))
        lastFrames = frames
        hasInput = false
    }

    /// Moves a share of a row into the field; level and power stay the same together.
    @_noLocks @_noAllocation
    mutating func take(_ samples: UnsafeMutablePointer<Float>, spread: Ramp, frames: Int) {
        let sum = input.row(0) + history
        for i in 0..<frames {
            let share = spread.value(at: i)
            sum[i] += samples[i] * rt_sqrt(max(0, share))
            samples[i] *= rt_sqrt(max(0, 1 - share))
        }
        hasInput = true
    }

    /// Ends the input of a block.
    /// - Returns: whether the field sounds in it.
    @_noLocks @_noAllocation
    mutating func finish(_ frames: Int) -> Bool {
        if hasInput {
            remaining = tail &+ frames
            return true
        }
        remaining = max(0, remaining &- frames)
        return remaining > 0
    }

    /// Adds the signal of a direction to a row, in whole lanes.
    @_noLocks @_noAllocation
    func add(_ direction: Int, to output: UnsafeMutablePointer<Float>, frames: Int) {
        let (places, gains) = (places + direction &* Self.pulses, gains + direction &* Self.pulses)
        let sum = input.row(0) + history
        var frame = 0
        while frame < frames {
            var y = output.lanes(frame)
            for pulse in 0..<Self.pulses { y = rt_fma16(sum.lanes(frame &- places[pulse]), rt_all16(gains[pulse]), y) }
            output.setLanes(frame, y)
            frame = frame &+ laneCount
        }
    }
}
