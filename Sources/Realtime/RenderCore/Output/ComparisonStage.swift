package import Binaural
internal import CRealtime
internal import DSP

/// The conditions of a listening test at one listener's ears: matched in time and loudness, anchors low-passed, and switched alike.
///
/// Every condition has the same latency, and every switch is the same fade out, silence and fade in, whichever two conditions it is
/// between, the same one twice included: neither time nor switching reveals the condition. A crossfade between two methods
/// would reveal it, since it colours unequal ones only.
package struct ComparisonStage: ~Copyable, Sendable {
    private struct Condition {
        let method: InterpolationMethod
        /// Delay after the method, samples.
        let delay: Int
        /// Place of the filter's first coefficient, and their number; 0 for no filter.
        let filter: Int
        let taps: Int
        let gain: Float
    }

    /// Seconds of the fade out and of the fade in.
    package static var fade: Double { 0.01 }

    // SAFETY: these three are owned by this value alone, which cannot be copied.
    private nonisolated(unsafe) let conditions: UnsafeMutablePointer<Condition>
    private nonisolated(unsafe) let coefficients: UnsafeMutablePointer<Float>
    private nonisolated(unsafe) let history: UnsafeMutablePointer<Float>
    private let count: Int
    /// Samples of the past that are kept, and floats in the row of one ear.
    private let reach: Int
    private let row: Int
    /// Samples of silence in a switch, in which the method's own crossfade and the filters settle.
    private let silence: Int
    private let step: Float
    /// Latency of every condition, the method's included, samples.
    package let latency: Int
    private var choice: Int = -1
    private var present = 0
    private var isLeaving = true
    private var remaining = 0
    /// Course of the fades, 0 to 1.
    private var level: Float = 0

    /// - Parameters:
    ///   - conditions: at least one.
    ///   - period: largest block, frames.
    package init(_ conditions: [ComparisonCondition], rate: Float, period: Int) {
        precondition(!conditions.isEmpty)
        let filters = conditions.map { $0.edge.map { LowPassDesign.taps(edge: $0, rate: Double(rate)) } ?? [] }
        let own = zip(conditions, filters).map { $0.method.latency(rate: rate) + $1.count / 2 }
        latency = own.max() ?? 0
        count = conditions.count
        self.conditions = .allocate(capacity: count)
        let all = filters.flatMap { $0 }
        coefficients = .allocateAligned(max(1, all.count))
        for (place, tap) in all.enumerated() { coefficients[place] = tap }
        var first = 0
        for (place, condition) in conditions.enumerated() {
            let taps = filters[place].count
            (self.conditions + place).initialize(
                to: Condition(
                    method: condition.method, delay: latency - own[place], filter: first, taps: taps, gain: condition.gain))
            first += taps
        }
        reach = roundedToLanes(latency + (filters.map { $0.count }.max() ?? 0) + 1)
        row = reach + roundedToLanes(period) + laneCount
        history = .allocateAligned(2 * row)
        silence = latency + reach + Int(clamping: (EarMixer.fade + 0.005) * rate) + 2 * period
        step = 1 / Float(Self.fade * Double(rate))
    }

    deinit {
        conditions.deallocate()
        coefficients.deallocate()
        history.deallocate()
    }

    /// The method to render in the coming block.
    package var method: InterpolationMethod { @_noLocks @_noAllocation mutating get { conditions[present].method } }

    /// Begins to switch when the choice is another one than before.
    /// - Parameter choice: a number that differs with every switch, times 16, plus the index of the condition.
    @_noLocks @_noAllocation
    package mutating func follow(_ choice: Int) {
        guard choice != self.choice else { return }
        self.choice = choice
        isLeaving = true
    }

    /// Processes one block in place.
    @_noLocks @_noAllocation
    package mutating func process(_ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, frames: Int) {
        let condition = conditions[present]
        run(condition, left, history, frames)
        run(condition, right, history + row, frames)
        if level == 1, !isLeaving {
            for i in 0..<frames {
                left[i] *= condition.gain
                right[i] *= condition.gain
            }
        } else {
            fade(left, right, gain: condition.gain, frames)
        }
        guard isLeaving, level == 0 else { return }
        present = min(choice & 15, count &- 1)
        isLeaving = false
        remaining = silence
    }

    @_noLocks @_noAllocation
    private mutating func fade(
        _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, gain: Float, _ frames: Int
    ) {
        for i in 0..<frames {
            if isLeaving {
                level = Ramp.approach(0, from: level, step: step)
            } else if remaining > 0 {
                remaining = remaining &- 1
            } else {
                level = Ramp.approach(1, from: level, step: step)
            }
            let factor = level * level * (3 - 2 * level) * gain
            left[i] *= factor
            right[i] *= factor
        }
    }

    /// Delays one ear, and filters it for an anchor.
    @_noLocks @_noAllocation
    private func run(
        _ condition: Condition, _ ear: UnsafeMutablePointer<Float>, _ past: UnsafeMutablePointer<Float>, _ frames: Int
    ) {
        rt_copy(past + reach, ear, frames)
        let start = past + (reach &- condition.delay)
        if condition.taps == 0 {
            rt_copy(ear, start, frames)
        } else {
            let taps = coefficients + condition.filter
            var frame = 0
            while frame < frames {
                var sum = Lanes.zero
                for tap in 0..<condition.taps {
                    sum = rt_fma16(start.lanes(frame &- tap), rt_all16(taps[tap]), sum)
                }
                let rest = min(laneCount, frames &- frame)
                for lane in 0..<rest { ear[frame &+ lane] = sum[lane] }
                frame = frame &+ laneCount
            }
        }
        rt_move(past, past + frames, reach)
    }
}
