internal import CRealtime
internal import DSP

/// Output of ``PhaseVocoder``: frames read at another speed, weighted and added up.
///
/// The sum of the weights is kept beside the sound and divides it, so that frames may be cut short at an attack.
struct GrainSum: ~Copyable, Sendable {
    /// A frame, and how it is read.
    struct Grain: BitwiseCopyable {
        /// Output sample of the frame's centre.
        var centre = 0
        /// Position in the frame at the centre.
        var middle = 0.0
        /// Samples of the frame for each sample of the output.
        var speed = 1.0
        /// Output samples that the frame may reach.
        var first = 0
        var end = 0
        /// Half the length of the weights, samples of the output.
        var reach = 0

        @_noLocks @_noAllocation
        init() {}
    }

    private let table = SincTable()
    private let left: Row
    private let right: Row
    private let weights: Row
    private let mask: Int

    /// - Parameter longest: largest number of output samples in progress.
    init(longest: Int) {
        var size = 64
        while size < longest { size *= 2 }
        mask = size - 1
        left = Row(size)
        right = Row(size)
        weights = Row(size)
    }

    @_noLocks @_noAllocation
    func reset() {
        left.clear()
        right.clear()
        weights.clear()
    }

    /// Adds a part of a frame.
    ///
    /// - Parameters:
    ///   - shape: weight of each sample of the frame, as it was when the frame was analysed.
    ///   - scale: factor of the samples.
    ///   - part: 0 for the half before the centre, 1 for the half from there on.
    @_noLocks @_noAllocation
    func add(
        _ grain: Grain, _ leftFrame: UnsafePointer<Float>, _ rightFrame: UnsafePointer<Float>, shape: UnsafePointer<Float>,
        scale: Float, part: Int
    ) {
        let first = max(grain.first &- grain.centre, part == 0 ? 1 &- grain.reach : 0)
        let end = min(grain.end &- grain.centre, part == 0 ? 0 : grain.reach)
        guard first < end else { return }
        let step = 3.141592653589793 / Double(grain.reach)
        for j in first..<end {
            let position = grain.middle + Double(j) * grain.speed
            let whole = Int(clamping: position)
            let fraction = Float(position - Double(whole))
            let weight = 0.5 + 0.5 * rt_cos(Float(Double(j) * step))
            let taps = table.weights(fraction)
            let start = whole &- (SincTable.before &- 1)
            let sums = rt_sum16s((leftFrame + start).lanes(0) * taps, (rightFrame + start).lanes(0) * taps)
            let place = (grain.centre &+ j) & mask
            left.samples[place] += sums[0] * weight * scale
            right.samples[place] += sums[1] * weight * scale
            weights.samples[place] += weight * (shape[whole] + fraction * (shape[whole &+ 1] - shape[whole]))
        }
    }

    /// Returns a sample of the output and clears its place.
    @_noLocks @_noAllocation @inline(__always)
    func take(_ frame: Int) -> (Float, Float) {
        let place = frame & mask
        let share = 1 / max(weights.samples[place], 0.02)
        let sound = (left.samples[place] * share, right.samples[place] * share)
        left.samples[place] = 0
        right.samples[place] = 0
        weights.samples[place] = 0
        return sound
    }
}
