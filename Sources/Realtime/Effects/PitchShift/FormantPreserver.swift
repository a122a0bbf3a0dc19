internal import CRealtime
internal import DSP

/// Removes the spectral envelope of a sound and restores it after the pitch of the residual was shifted.
///
/// The envelope removed at a sample is restored where the sample is read: without a shift the sound is unchanged.
/// Envelopes are computed every four segments and interpolated in reflection coefficients, so that the restoring filter
/// is always stable; within a segment of 1.3 ms the taps are interpolated. Each of the two readers has a separate
/// filter, because sound of one position would be loud after the filter of another. ``PitchShift`` runs it only while
/// it is wanted.
struct FormantPreserver: ~Copyable, Sendable {
    private static var hop: Int { @_noLocks @_noAllocation get { 4 } }

    private var envelope: Envelope
    /// Length in samples of the transition from one filter to the next, 1.3 ms.
    private let segment: Int
    /// Taps of a filter, a multiple of 16; those beyond the order are 0.
    private let taps: Int
    /// Filters of the last segments: tap 1 to the last, and the same in reverse.
    private let filters: Row
    private let kept: Int
    /// Last output of each side: `taps` samples of history, then the samples in progress.
    private let heardLeft: Row
    private let heardRight: Row
    /// The same for the reader that is fading out.
    private let oldLeft: Row
    private let oldRight: Row
    // SAFETY: three rows of reflection coefficients, owned by this value alone, which cannot be copied: start, end and
    // current state of the interpolation.
    private nonisolated(unsafe) let reflections: UnsafeMutablePointer<Double>
    /// Number of input samples.
    private var clock = 0
    private var gain: Float = 1
    private var energyIn: Float = 0
    private var energyOut: Float = 0
    /// Peaks of input and output that decay in 40 ms and in 10 ms.
    private var peakIn: Float = 0
    private var peakOut: Float = 0
    /// Target of ``gain``.
    private var aim: Float = 1
    private let energyShare: Float
    private let nowShare: Float
    private let peakPole: Float
    private let longPeakPole: Float

    /// - Parameter longest: largest delay of the readers, samples.
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
        energyShare = Smoother.share(frames: 16, rate: rate, seconds: 0.03)
        nowShare = Smoother.share(frames: 16, rate: rate, seconds: 0.001)
        peakPole = rt_exp(-16 / (0.01 * rate))
        longPeakPole = rt_exp(-16 / (0.04 * rate))
    }

    deinit { reflections.deallocate() }

    /// Number of past samples that are analysed.
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

    /// Removes the envelope of sixteen frames, which are in the lines already.
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

    /// Number of frames in the last call of ``whiten(_:_:_:_:count:)``.
    private var lastCount = 0

    /// Computes the filter of the segment after the one that has begun.
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

    /// Called when the reader jumps: its output continues for a while as that of the old reader.
    @_noLocks @_noAllocation
    func part() {
        rt_move(oldLeft.samples, heardLeft.samples, taps)
        rt_move(oldRight.samples, heardRight.samples, taps)
    }

    /// Restores the envelope of sixteen frames.
    ///
    /// - Parameters:
    ///   - places: positions at which the first frame and the one after the last were read, samples behind the newest;
    ///     each gets the envelope that was removed there.
    ///   - isOld: whether the frames come from the reader that is fading out.
    @_noLocks @_noAllocation @inline(__always)
    func colour(
        _ leftSamples: inout Lanes, _ rightSamples: inout Lanes, count: Int, places: (first: Double, last: Double), isOld: Bool
    ) {
        let (left, right) = isOld ? (oldLeft.samples, oldRight.samples) : (heardLeft.samples, heardRight.samples)
        let step = (places.last - places.first) / Double(count)
        for i in 0..<count {
            let time = max(0, Double(clock &+ i &- AntialiasingFilter.delay) - places.first - step * Double(i))
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

    /// Matches the level of sixteen frames to that of `plain`, whose formants move with the pitch, and advances.
    @_noLocks @_noAllocation @inline(__always)
    mutating func match(
        _ leftSamples: inout Lanes, _ rightSamples: inout Lanes, count: Int, plain: (left: Lanes, right: Lanes)
    ) {
        clock = clock &+ count
        let (gainBefore, peakBefore) = (gain, peakIn)
        follow(leftSamples, rightSamples, plain, count)
        let line = Ramp(from: gainBefore, to: gain, frames: count).lanes(0)
        let peaks = Ramp(from: peakBefore, to: peakIn, frames: count).lanes(0)
        // The present samples count as well, so that the limit rises at once when sound begins.
        let corner = 2 * rt_max16(peaks, rt_max16(rt_abs16(plain.left), rt_abs16(plain.right)))
        leftSamples = Self.bounded(leftSamples * line, corner)
        rightSamples = Self.bounded(rightSamples * line, corner)
    }

    /// Limits the magnitudes of samples: unchanged up to `corner`, never above twice that.
    @_noLocks @_noAllocation @inline(__always)
    private static func bounded(_ samples: Lanes, _ corner: Lanes) -> Lanes {
        let size = rt_abs16(samples)
        let over = rt_max16(size - corner, .zero)
        return samples * (1 - over * over / ((over + corner) * size + 1e-20))
    }

    /// A partial that leaves its formant would become quieter, and one that enters another's louder: the output keeps
    /// the level of the input within 30 ms, with a gain of at most 6 dB. Where the pitch jumps, the removed and the
    /// restored envelope differ: then peaks above 1.5 times those of the input decay within 2 ms, and none exceeds 4
    /// times.
    @_noLocks @_noAllocation @inline(__always)
    private mutating func follow(_ left: Lanes, _ right: Lanes, _ plain: (left: Lanes, right: Lanes), _ count: Int) {
        let edge = rt_all16(Float(count) + 0.5)
        let came = rt_sum16(
            rt_select_less16(Ramp.count, edge, rt_fma16(plain.left, plain.left, plain.right * plain.right), .zero))
        let goes = rt_sum16(rt_select_less16(Ramp.count, edge, rt_fma16(left, left, right * right), .zero))
        energyIn = Smoother.next(energyIn, to: came, share: energyShare)
        energyOut = Smoother.next(energyOut, to: goes, share: energyShare)
        peakIn = max(longPeakPole * peakIn, Self.peak(plain.left, plain.right, edge))
        peakOut = max(peakPole * peakOut, Self.peak(left, right, edge))
        let wanted = min(2, rt_sqrt((energyIn + 1e-9) / (energyOut + 1e-9)))
        let most = (1.5 * peakIn + 1e-6) / (peakOut + 1e-6)
        // Smoothed twice: a corner of the gain would be audible as a click.
        aim = Smoother.next(aim, to: min(wanted, most), share: most < aim ? nowShare : energyShare)
        gain = Smoother.next(gain, to: aim, share: nowShare)
    }

    @_noLocks @_noAllocation @inline(__always)
    private static func peak(_ left: Lanes, _ right: Lanes, _ edge: Lanes) -> Float {
        rt_largest16(rt_select_less16(Ramp.count, edge, rt_max16(rt_abs16(left), rt_abs16(right)), .zero))
    }
}
