internal import Binaural
internal import CRealtime
internal import DSP

/// Sum of all objects in one ear: fractionally delayed and shaded, their weights ramped over the block. Shared by all ears
/// of a thread, one after the other.
struct ObjectMix: ~Copyable, Sendable {
    private let taps = FractionalTap()
    // SAFETY: owned by this value alone, which cannot be copied.
    private nonisolated(unsafe) let rows: UnsafeMutablePointer<UnsafePointer<Float>>
    // SAFETY: as above. Weights just before the first frame, and at the last.
    private nonisolated(unsafe) let from: UnsafeMutablePointer<Float>
    // SAFETY: as above.
    private nonisolated(unsafe) let to: UnsafeMutablePointer<Float>
    private let sum: Rows
    /// Maximum number of rows in one sum: more than the largest change of delay within a block takes.
    private let capacity: Int
    private var count = 0

    init(rate: Float, period: Int) {
        capacity = 256 + 2 * (SphereShadow.longestDelay(rate: rate) + 2 * FractionalTap.count)
        rows = .allocate(capacity: capacity)
        from = .allocateAligned(capacity + laneCount)
        to = .allocateAligned(capacity + laneCount)
        sum = Rows(rows: 1, length: period)
    }

    deinit {
        rows.deallocate()
        from.deallocate()
        to.deallocate()
    }

    /// Adds one object to the sum.
    ///
    /// - Parameters:
    ///   - whole, low: the object's sound, and the same through the low-pass.
    ///   - before, now: delay in samples and direct share, at the block's beginning and end.
    ///   - ear: receives the sum when there is no room for another object; see ``finish(onto:frames:)``.
    @_noLocks @_noAllocation
    mutating func add(
        _ whole: UnsafePointer<Float>, _ low: UnsafePointer<Float>, from before: SIMD2<Float>, to now: SIMD2<Float>,
        onto ear: UnsafeMutablePointer<Float>, frames: Int
    ) {
        let (first, last) = (Int(rt_whole(before[0])), Int(rt_whole(now[0])))
        let nearest = min(first, last)
        let span = max(first, last) &- nearest &+ FractionalTap.count
        if count &+ 2 &* span > capacity { finish(onto: ear, frames: frames) }
        let (a, b) = (count, count &+ span)
        for tap in 0..<span {
            rows[a &+ tap] = whole - (nearest &+ tap)
            rows[b &+ tap] = low - (nearest &+ tap)
        }
        if first == last {
            Self.set(from, a, b, taps.weights(before[0] - Float(first)), before[1])
            Self.set(to, a, b, taps.weights(now[0] - Float(last)), now[1])
        } else {
            // A tap that is used at one end of the block only has no weight at the other.
            rt_zero(from + a, 2 &* span)
            rt_zero(to + a, 2 &* span)
            let (begin, end) = (first &- nearest, last &- nearest)
            Self.set(from, a &+ begin, b &+ begin, taps.weights(before[0] - Float(first)), before[1])
            Self.set(to, a &+ end, b &+ end, taps.weights(now[0] - Float(last)), now[1])
        }
        count = b &+ span
    }

    @_noLocks @_noAllocation @inline(__always)
    private static func set(
        _ target: UnsafeMutablePointer<Float>, _ whole: Int, _ low: Int, _ weights: SIMD8<Float>, _ direct: Float
    ) {
        UnsafeMutableRawPointer(target + whole).storeBytes(of: weights * direct, as: SIMD8<Float>.self)
        UnsafeMutableRawPointer(target + low).storeBytes(of: weights * (1 - direct), as: SIMD8<Float>.self)
    }

    /// Adds the sum to an ear and clears it.
    @_noLocks @_noAllocation
    mutating func finish(onto ear: UnsafeMutablePointer<Float>, frames: Int) {
        guard count > 0 else { return }
        let sum = sum.row(0)
        RampedMix.process(rows: rows, from: from, to: to, count: count, frames: frames, output: sum)
        count = 0
        var frame = 0
        while frame < frames {
            ear.setLanes(frame, ear.lanes(frame) + sum.lanes(frame))
            frame = frame &+ laneCount
        }
    }
}
