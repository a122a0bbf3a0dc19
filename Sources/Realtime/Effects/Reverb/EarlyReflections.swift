internal import CRealtime
internal import DSP

/// The first sixteen reflections of each side, from 4 to 71 ms in a hall, denser as time passes.
///
/// The reflections of each side alternate between the left and the right input. The first four are distinct, the others come from the
/// diffused input. Their power per second decays like that of the late part, which begins among them.
struct EarlyReflections: ~Copyable, Sendable {
    /// Arrival at each side in a hall, milliseconds.
    private static var leftTimes: Lanes {
        @_noLocks @_noAllocation get {
            Lanes(
                4.07, 12.89, 18.58, 23.43, 27.73, 32.72, 36.99, 40.14, 43.97, 50.46, 53.18, 55.41, 59.6, 65.08, 68.26,
                71.45)
        }
    }
    private static var rightTimes: Lanes {
        @_noLocks @_noAllocation get {
            Lanes(
                4.57, 15.76, 21.37, 25.3, 30.59, 34.26, 39.68, 41.58, 46.97, 51.25, 52.83, 58.55, 61.95, 62.09, 68.05,
                68.33)
        }
    }
    private static var leftSigns: Lanes {
        @_noLocks @_noAllocation get { Lanes(1, 1, 1, 1, -1, 1, -1, -1, -1, -1, -1, -1, -1, -1, 1, 1) }
    }
    private static var rightSigns: Lanes {
        @_noLocks @_noAllocation get { Lanes(1, 1, 1, -1, -1, -1, -1, 1, 1, -1, -1, -1, -1, 1, 1, 1) }
    }
    /// Energy of each reflection in a hall for a late part of power 1 per second, before it decays: half the distance between
    /// its neighbours, more than that at first, and less where the late part sets in.
    private static var energies: Lanes {
        @_noLocks @_noAllocation get {
            Lanes(
                0.01146, 0.00868, 0.00596, 0.00491, 0.00476, 0.00447, 0.0034, 0.00307, 0.00431, 0.0035, 0.0018, 0.00225,
                0.00316, 0.00255, 0.00176, 0.00164)
        }
    }

    private let rate: Float
    private var size: Float = 1
    private var leftDelays = [16 of Int](repeating: 0)
    private var rightDelays = [16 of Int](repeating: 0)
    private var leftGains = [16 of Ramp](repeating: Ramp(from: 0, step: 0))
    private var rightGains = [16 of Ramp](repeating: Ramp(from: 0, step: 0))
    /// Gains at the end of the block; those of an unprepared room are adopted at once.
    private var leftEnd = Lanes.zero
    private var rightEnd = Lanes.zero
    private var isPrepared = false
    private var leftHigh = LowPass()
    private var rightHigh = LowPass()
    private let highPole: LowPass.Coefficients
    private var highShare = Lanes.zero

    init(rate: Float) {
        self.rate = rate
        highPole = .init(cutoff: 5000, rate: rate)
    }

    /// Latest arrival in the largest room, in samples.
    static func longest(rate: Float, largest: Float) -> Int {
        Int(clamping: max(leftTimes.max(), rightTimes.max()) * largest * rate / 1000) + 1
    }

    /// Sets the delays of the reflections in a room of this size, after a pre-delay of `wait` samples.
    @_noLocks @_noAllocation
    mutating func begin(size: Float, wait: Int) {
        self.size = size
        isPrepared = false
        leftHigh.reset()
        rightHigh.reset()
        let scale = size * rate / 1000
        for i in 0..<16 {
            leftDelays[i] = wait &+ Int(clamping: Self.leftTimes[i] * scale)
            rightDelays[i] = wait &+ Int(clamping: Self.rightTimes[i] * scale)
        }
    }

    /// Energy of one side's reflections for a late part of power 1 per second.
    ///
    /// - Parameter loss: binary logarithm of the gain of one second.
    @_noLocks @_noAllocation
    func energy(loss: Float) -> Float {
        size * rt_sum16(Self.energies * rt_exp2_16(Self.leftTimes * (2 * loss * size / 1000)))
    }

    /// Computes the gains of the coming block.
    ///
    /// - Parameters:
    ///   - loss: binary logarithm of the gain of one second.
    ///   - power: power of the late part at its beginning, per second.
    ///   - treble: decay time of high frequencies relative to that of middle ones.
    @_noLocks @_noAllocation
    mutating func prepare(loss: Float, power: Float, treble: Float, frames: Int) {
        let scale = rt_sqrt(size * power)
        var sizes = Self.energies
        for i in 0..<16 { sizes[i] = rt_sqrt(sizes[i]) * scale }
        let left = Self.leftSigns * sizes * rt_exp2_16(Self.leftTimes * (loss * size / 1000))
        let right = Self.rightSigns * sizes * rt_exp2_16(Self.rightTimes * (loss * size / 1000))
        let (leftFrom, rightFrom) = isPrepared ? (leftEnd, rightEnd) : (left, right)
        isPrepared = true
        for i in 0..<16 {
            leftGains[i] = Ramp(from: leftFrom[i], to: left[i], frames: frames)
            rightGains[i] = Ramp(from: rightFrom[i], to: right[i], frames: frames)
        }
        (leftEnd, rightEnd) = (left, right)
        highShare = rt_all16(1 - rt_exp2(loss * 0.035 * size * (1 / treble - 1)))
    }

    @_noLocks @_noAllocation @inline(__always)
    mutating func process(_ entry: borrowing ReverbEntry, frame: Int, count: Int) -> (Lanes, Lanes) {
        var (left, right) = (Lanes.zero, Lanes.zero)
        for pair in 0..<8 {
            let i = 2 &* pair
            if i < 4 {
                left = rt_fma16(entry.left.read(leftDelays[i]), leftGains[i].lanes(frame), left)
                left = rt_fma16(entry.right.read(leftDelays[i &+ 1]), leftGains[i &+ 1].lanes(frame), left)
                right = rt_fma16(entry.right.read(rightDelays[i]), rightGains[i].lanes(frame), right)
                right = rt_fma16(entry.left.read(rightDelays[i &+ 1]), rightGains[i &+ 1].lanes(frame), right)
            } else {
                left = rt_fma16(entry.diffuseLeft.read(leftDelays[i]), leftGains[i].lanes(frame), left)
                left = rt_fma16(entry.diffuseRight.read(leftDelays[i &+ 1]), leftGains[i &+ 1].lanes(frame), left)
                right = rt_fma16(entry.diffuseRight.read(rightDelays[i]), rightGains[i].lanes(frame), right)
                right = rt_fma16(entry.diffuseLeft.read(rightDelays[i &+ 1]), rightGains[i &+ 1].lanes(frame), right)
            }
        }
        left = rt_fma16(highShare, leftHigh.lowPass(left, count: count, highPole) - left, left)
        right = rt_fma16(highShare, rightHigh.lowPass(right, count: count, highPole) - right, right)
        return (left, right)
    }
}
