internal import CRealtime
internal import DSP

/// Takes the envelope out of a sound's spectrum, and gives it back when the pitch of what is left is another.
///
/// What was taken out with a sample is given back where the sample is read: unshifted it is the sound itself again.
/// Envelopes are found every four segments and walked to in reflection coefficients, so that the filter that gives them
/// back is a stable one on the whole way; from segment to segment, 1.3 ms, the taps are walked. Each of two readers has a
/// filter of its own, as sound of one place through the filter of another would be loud. For ``PitchShift`` to run while it is
/// wanted.
struct FormantKeeper: ~Copyable, Sendable {
    private static var hop: Int { @_noLocks @_noAllocation get { 4 } }

    private var envelope: Envelope
    /// Samples in which one filter becomes the next, 1.3 ms.
    private let segment: Int
    /// Taps of a filter, a multiple of 16; those beyond the order are 0.
    private let taps: Int
    /// Filters of the last segments: tap 1 to the last, and the same backwards.
    private let filters: Row
    private let kept: Int
    /// What was heard last, each side: taps, then the samples that are being made.
    private let heardLeft: Row
    private let heardRight: Row
    /// The same of the reader that is faded out.
    private let oldLeft: Row
    private let oldRight: Row
    // SAFETY: three rows of reflection coefficients, owned by this value alone, which cannot be copied: where the walk
    // began, where it goes, where it is.
    private nonisolated(unsafe) let reflections: UnsafeMutablePointer<Double>
    /// Samples that came in.
    private var clock = 0
    private var gain: Float = 1
    private var energyIn: Float = 0
    private var energyOut: Float = 0
    /// Largest samples, forgotten in 40 ms and in 10.
    private var peakIn: Float = 0
    private var peakOut: Float = 0
    /// What ``gain`` goes to.
    private var aim: Float = 1
    private let energyPole: Float
    private let nowPole: Float
    private let peakPole: Float
    private let longPeakPole: Float

    /// - Parameter longest: samples after which one is heard at the latest.
    init(rate: Float, longest: Int) {
        envelope = Envelope(rate: rate)
        segment = max(16, Int(clamping: rate / 750) / 16 * 16)
        taps = (envelope.order + 15) / 16 * 16
        kept = longest / segment + 5
        filters = Row(kept * 2 * taps)
        heardLeft = Row(taps + 64)
        heardRight = Row(taps + 64)
        oldLeft = Row(taps + 64)
        oldRight = Row(taps + 64)
        reflections = .allocate(capacity: 3 * envelope.order)
        reflections.initialize(repeating: 0, count: 3 * envelope.order)
        energyPole = rt_exp(-16 / (0.03 * rate))
        nowPole = rt_exp(-16 / (0.001 * rate))
        peakPole = rt_exp(-16 / (0.01 * rate))
        longPeakPole = rt_exp(-16 / (0.04 * rate))
    }

    deinit { reflections.deallocate() }

    /// Samples of the past that it looks at.
    static func reach(rate: Float) -> Int { Int(clamping: 0.028 * rate) + 128 }

    @_noLocks @_noAllocation
    mutating func reset() {
        filters.clear()
        heardLeft.clear()
        heardRight.clear()
        oldLeft.clear()
        oldRight.clear()
        for i in 0..<3 &* envelope.order { reflections[i] = 0 }
        clock = 0
        gain = 1
        energyIn = 0
        energyOut = 0
        peakIn = 0
        peakOut = 0
        aim = 1
    }

    /// What is left of sixteen frames without their envelope; they are written to the lines already.
    @_noLocks @_noAllocation @inline(__always)
    mutating func whiten(
        _ left: borrowing DelayLine, _ right: borrowing DelayLine, _ leftSamples: inout Lanes, _ rightSamples: inout Lanes,
        count: Int
    ) {
        let part = clock % segment
        if part < laneCount, part == 0 || part < lastCount { prepare(left, right) }
        lastCount = count
        let (rest, number) = (segment &- part, clock / segment)
        let (before, first) = (filter(number &- 1), filter(number))
        let (x, y) = (Self.residual(left, first, taps), Self.residual(right, first, taps))
        let (xBefore, yBefore) = (Self.residual(left, before, taps), Self.residual(right, before, taps))
        let share = (Ramp.count + Float(part &- 1)) / Float(segment)
        (leftSamples, rightSamples) = (rt_fma16(share, x - xBefore, xBefore), rt_fma16(share, y - yBefore, yBefore))
        guard count > rest else { return }
        let second = filter(number &+ 1)
        let edge = rt_all16(Float(rest) + 0.5)
        let (xNext, yNext) = (Self.residual(left, second, taps), Self.residual(right, second, taps))
        leftSamples = rt_select_less16(Ramp.count, edge, leftSamples, rt_fma16(share - 1, xNext - x, x))
        rightSamples = rt_select_less16(Ramp.count, edge, rightSamples, rt_fma16(share - 1, yNext - y, y))
    }

    /// Frames of the last call of ``whiten(_:_:_:_:count:)``.
    private var lastCount = 0

    /// Makes the filter of the segment after the one that has begun.
    @_noLocks @_noAllocation
    private mutating func prepare(_ left: borrowing DelayLine, _ right: borrowing DelayLine) {
        let (order, number) = (envelope.order, clock / segment &+ 1)
        let (from, to, now) = (reflections, reflections + order, reflections + 2 &* order)
        let turn = number % Self.hop
        if turn == 0 {
            for i in 0..<order { from[i] = to[i] }
            envelope.find(left, right, into: to)
        }
        let share = Double(turn &+ 1) / Double(Self.hop)
        for i in 0..<order { now[i] = from[i] + (to[i] - from[i]) * share }
        let predictor = envelope.predictor(now)
        let row = filter(number)
        for i in 0..<order {
            row[i] = Float(predictor[i &+ 1])
            row[2 &* taps &- 1 &- i] = row[i]
        }
    }

    @_noLocks @_noAllocation @inline(__always)
    private func filter(_ number: Int) -> UnsafeMutablePointer<Float> { filters.samples + ((number &+ kept) % kept) &* 2 &* taps }

    @_noLocks @_noAllocation @inline(__always)
    private static func residual(_ line: borrowing DelayLine, _ filter: UnsafeMutablePointer<Float>, _ taps: Int) -> Lanes {
        var (even, odd) = (line.read(0), Lanes.zero)
        var tap = 0
        while tap < taps {
            even = rt_fma16(rt_all16(filter[tap]), line.read(tap &+ 1), even)
            odd = rt_fma16(rt_all16(filter[tap &+ 1]), line.read(tap &+ 2), odd)
            tap = tap &+ 2
        }
        return even + odd
    }

    /// The reader goes elsewhere: what it has read goes on for a while as the old one.
    @_noLocks @_noAllocation
    func part() {
        rt_move(oldLeft.samples, heardLeft.samples, taps)
        rt_move(oldRight.samples, heardRight.samples, taps)
    }

    /// Gives sixteen frames their envelope.
    ///
    /// - Parameters:
    ///   - places: where the first frame was read and the one after the last, samples behind the newest: each gets back
    ///     what was taken out there.
    ///   - isOld: read by the reader that is faded out.
    @_noLocks @_noAllocation @inline(__always)
    func colour(
        _ leftSamples: inout Lanes, _ rightSamples: inout Lanes, count: Int, places: (first: Double, last: Double), isOld: Bool
    ) {
        let (left, right) = isOld ? (oldLeft.samples, oldRight.samples) : (heardLeft.samples, heardRight.samples)
        let step = (places.last - places.first) / Double(count)
        for i in 0..<count {
            let time = max(0, Double(clock &+ i &- FoldingGuard.delay) - places.first - step * Double(i))
            let number = Int(clamping: time) / segment
            let (before, next) = (filter(number &- 1) + taps, filter(number) + taps)
            let share = rt_all16(Float(time - Double(number &* segment)) / Float(segment))
            var (a, b) = (Lanes.zero, Lanes.zero)
            var tap = 0
            while tap < taps {
                let c = rt_fma16(share, next.lanes(tap) - before.lanes(tap), before.lanes(tap))
                a = rt_fma16(c, left.lanes(i &+ tap), a)
                b = rt_fma16(c, right.lanes(i &+ tap), b)
                tap = tap &+ laneCount
            }
            left[taps &+ i] = leftSamples[i] - rt_sum16(a)
            right[taps &+ i] = rightSamples[i] - rt_sum16(b)
        }
        (leftSamples, rightSamples) = (left.lanes(taps), right.lanes(taps))
        rt_move(left, left + count, taps)
        rt_move(right, right + count, taps)
    }

    /// Gives sixteen frames the strength of those whose formants move with the pitch, `plain`, and goes on in time.
    @_noLocks @_noAllocation @inline(__always)
    mutating func match(
        _ leftSamples: inout Lanes, _ rightSamples: inout Lanes, count: Int, plain: (left: Lanes, right: Lanes)
    ) {
        clock = clock &+ count
        let (gainBefore, peakBefore) = (gain, peakIn)
        follow(leftSamples, rightSamples, plain, count)
        let line = rt_fma16(rt_all16((gain - gainBefore) / Float(count)), Ramp.count, rt_all16(gainBefore))
        let peaks = rt_fma16(rt_all16((peakIn - peakBefore) / Float(count)), Ramp.count, rt_all16(peakBefore))
        // At once where sound begins.
        let corner = 2 * rt_max16(peaks, rt_max16(rt_abs16(plain.left), rt_abs16(plain.right)))
        leftSamples = Self.bounded(leftSamples * line, corner)
        rightSamples = Self.bounded(rightSamples * line, corner)
    }

    /// As it is up to `corner`, never above twice that.
    @_noLocks @_noAllocation @inline(__always)
    private static func bounded(_ samples: Lanes, _ corner: Lanes) -> Lanes {
        let size = rt_abs16(samples)
        let over = rt_max16(size - corner, .zero)
        return samples * (1 - over * over / ((over + corner) * size + 1e-20))
    }

    /// A partial that leaves its formant would be as much quieter, and one that comes into another's louder: what is heard
    /// keeps the strength of what was read, by at most 6 dB more, followed in 30 ms. Where the pitch jumps, what was taken
    /// out is not what is given back: then peaks above 1.5 times those of what was read go within 2 ms, and none is above 4.
    @_noLocks @_noAllocation @inline(__always)
    private mutating func follow(_ left: Lanes, _ right: Lanes, _ plain: (left: Lanes, right: Lanes), _ count: Int) {
        let edge = rt_all16(Float(count) + 0.5)
        let came = rt_sum16(
            rt_select_less16(Ramp.count, edge, rt_fma16(plain.left, plain.left, plain.right * plain.right), .zero))
        let goes = rt_sum16(rt_select_less16(Ramp.count, edge, rt_fma16(left, left, right * right), .zero))
        energyIn = came + energyPole * (energyIn - came)
        energyOut = goes + energyPole * (energyOut - goes)
        peakIn = max(longPeakPole * peakIn, Self.peak(plain.left, plain.right, edge))
        peakOut = max(peakPole * peakOut, Self.peak(left, right, edge))
        let wanted = min(2, rt_sqrt((energyIn + 1e-9) / (energyOut + 1e-9)))
        let most = (1.5 * peakIn + 1e-6) / (peakOut + 1e-6)
        // Twice smoothed: a bend of the gain alone would be heard as a click.
        aim += most < aim ? (most - aim) * (1 - nowPole) : (min(wanted, most) - aim) * (1 - energyPole)
        gain += (aim - gain) * (1 - nowPole)
    }

    @_noLocks @_noAllocation @inline(__always)
    private static func peak(_ left: Lanes, _ right: Lanes, _ edge: Lanes) -> Float {
        rt_largest16(rt_select_less16(Ramp.count, edge, rt_max16(rt_abs16(left), rt_abs16(right)), .zero))
    }
}
