internal import CRealtime
internal import DSP

/// Shifts the pitch of chords and of attacks alike: a phase vocoder with the latency of its long frames.
///
/// A frame of 171 ms at 48 kHz, or twice as long, is analysed every 11 ms. Its partials keep their phases to each other
/// (``PartialRotation``), it is read at the speed of the shift, and frames are added up (``GrainSum``). Attacks are resampled from where
/// they begin (``FrameMap``). The work of a frame is spread over time in eight slices.
///
/// Partials of several notes that are nearer to each other than 12 Hz beat within a frame of 171 ms and are shifted as one that
/// beats; the long frame separates them down to 6 Hz.
struct PhaseVocoder: ~Copyable, Sendable {
    private static var turns: Int { @_noLocks @_noAllocation get { 8 } }

    /// Samples in a frame, and from frame to frame in the output.
    private let length: Int
    private let hop: Int
    /// Half the length of a grain in the output, unless it is read faster.
    private let reach: Int
    private let transform: FourierTransform
    private var left: DelayLine
    private var right: DelayLine
    private var onsets: OnsetFinder
    private var map: FrameMap
    private var rotation: PartialRotation
    private var formants: SpectralEnvelope
    private var sum: GrainSum
    private var grain = GrainSum.Grain()
    private let window: Row
    /// Window of the current frame, cut short at attacks.
    private let shape: Row
    private let leftTime: Row
    private let rightTime: Row
    private let leftSpectrum: Row
    private let rightSpectrum: Row
    /// Number of input samples.
    private var clock = 0
    private var ratio = 1.0
    private var keepsFormants = false

    /// Delay of the output, samples.
    let latency: Int

    /// - Parameter isLong: frames are twice as long.
    init(rate: Float, isLong: Bool) {
        // A power of two near 171 ms.
        var short = 1024
        while Float(short) * 1.42 < 0.171 * rate { short *= 2 }
        let length = isLong ? 2 * short : short
        self.length = length
        hop = short / 16
        reach = short / 8
        latency = length / 2 + reach + 2 * hop
        transform = FourierTransform(count: length)
        left = DelayLine(longest: 2 * length)
        right = DelayLine(longest: 2 * length)
        onsets = OnsetFinder(rate: rate)
        map = FrameMap(rate: rate, farthest: hop)
        rotation = PartialRotation(length: length)
        formants = SpectralEnvelope(rate: rate, length: length)
        sum = GrainSum(longest: short / 2)
        window = Row(length)
        shape = Row(length)
        leftTime = Row(length)
        rightTime = Row(length)
        leftSpectrum = Row(length + 2)
        rightSpectrum = Row(length + 2)
        for i in 0..<length { window.samples[i] = 0.5 - 0.5 * rt_cos(2 * .pi * Float(i) / Float(length)) }
    }

    @_noLocks @_noAllocation
    mutating func reset() {
        left.reset()
        right.reset()
        onsets.reset()
        map.reset()
        rotation.reset()
        sum.reset()
        leftTime.clear()
        rightTime.clear()
        shape.clear()
        grain.reach = 0
        clock = 0
    }

    /// Frames until the next slice of work, 1 or more: the most that one call of ``process(_:_:count:)`` may handle.
    var room: Int {
        @_noLocks @_noAllocation @inline(__always) get {
            let turn = hop / Self.turns
            return turn &- clock % turn
        }
    }

    /// Sets the frequency ratio, and whether formants stay where they are, for frames that begin from now on.
    @_noLocks @_noAllocation
    mutating func set(ratio: Double, keepsFormants: Bool) {
        self.ratio = ratio
        self.keepsFormants = keepsFormants
    }

    /// Processes up to sixteen frames in place.
    @_noLocks @_noAllocation
    mutating func process(_ leftSamples: inout Lanes, _ rightSamples: inout Lanes, count: Int) {
        left.write(leftSamples)
        right.write(rightSamples)
        left.advance(count)
        right.advance(count)
        onsets.append(leftSamples, rightSamples, count: count)
        for i in 0..<count { (leftSamples[i], rightSamples[i]) = sum.take(clock &+ i &- latency) }
        clock = clock &+ count
        let turn = hop / Self.turns
        if clock % turn == 0 { work(clock / turn % Self.turns) }
    }

    /// Runs one of the eight slices of a frame's work.
    @_noLocks @_noAllocation
    private mutating func work(_ turn: Int) {
        switch turn {
        case 0:
            map.advance(to: clock &- length / 2 &- hop, ratio: ratio, &onsets)
            rt_copy(shape.samples, window.samples, length)
            map.cut(shape.samples, length: length)
            analyse(left, leftTime.samples, into: leftSpectrum.samples)
        case 1:
            analyse(right, rightTime.samples, into: rightSpectrum.samples)
        case 2:
            rotation.find(
                leftSpectrum.samples, rightSpectrum.samples, hop: map.hop, stretched: map.stretched, isReset: map.isReset)
        case 3:
            if keepsFormants && map.ratio != 1 {
                formants.find(rotation.powers, ratio: Float(map.ratio))
                formants.apply(leftSpectrum.samples)
                formants.apply(rightSpectrum.samples)
            }
        case 4:
            resynthesise(leftSpectrum.samples, into: leftTime.samples)
        case 5:
            resynthesise(rightSpectrum.samples, into: rightTime.samples)
        case 6:
            placeGrain()
            addGrain(part: 0)
        default:
            addGrain(part: 1)
        }
    }

    @_noLocks @_noAllocation
    private func analyse(
        _ line: borrowing DelayLine, _ time: UnsafeMutablePointer<Float>, into spectrum: UnsafeMutablePointer<Float>
    ) {
        let start = clock &- (map.place &- length / 2)
        var i = 0
        while i < length {
            time.setLanes(i, line.read(start &- i) * shape.samples.lanes(i))
            i = i &+ laneCount
        }
        transform.forward(time, into: spectrum)
    }

    @_noLocks @_noAllocation
    private func resynthesise(_ spectrum: UnsafeMutablePointer<Float>, into time: UnsafeMutablePointer<Float>) {
        rotation.apply(spectrum)
        if map.ratio > 1 {
            // Removes frequencies that would be shifted above half the rate.
            let first = Int(clamping: 0.98 * Double(length / 2) / map.ratio)
            rt_zero(spectrum + 2 &* first, length &+ 2 &- 2 &* first)
        }
        transform.inverse(spectrum, into: time)
    }

    @_noLocks @_noAllocation
    private mutating func placeGrain() {
        grain.centre = map.centre
        grain.middle = Double(length / 2) + map.rest
        grain.speed = map.ratio
        grain.first = map.attack
        grain.end = map.next
        grain.reach = min(reach, Int(clamping: Double(length / 2 &- 24) / map.ratio))
    }

    @_noLocks @_noAllocation
    private func addGrain(part: Int) {
        sum.add(grain, leftTime.samples, rightTime.samples, shape: shape.samples, scale: 1 / Float(length), part: part)
    }
}
