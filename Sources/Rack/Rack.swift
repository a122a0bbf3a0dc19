internal import CRealtime
internal import Effects
internal import Parameters

/// Effects in rows and branches, and a limiter after all of them.
///
/// For one thread at a time; all memory is allocated when it is made.
public struct Rack: ~Copyable, Sendable {
    // SAFETY: owned by this value alone, which cannot be copied.
    private nonisolated(unsafe) let branches: UnsafeMutablePointer<Branch>
    private let count: Int
    /// How many branches stand side by side in each place.
    private let widths: [Int]
    // SAFETY: as `branches`; the realtime side may not touch an array.
    private nonisolated(unsafe) let places: UnsafeMutablePointer<Int>
    private let placeCount: Int
    // SAFETY: as above: what entered a place, and the sum of its branches.
    private nonisolated(unsafe) let work: UnsafeMutablePointer<Float>
    private let stride: Int
    private var limiter: Limiter
    private var limit: Limiter.Settings

    /// - Parameters:
    ///   - rate: frames per second.
    ///   - largestBlock: frames that one call of `process` handles at most.
    ///   - ceiling: of the limiter, decibels, -24 to 0.
    ///   - response: the impulse response that a slot names, at `rate`.
    public init(
        _ description: RackDescription, rate: Float, largestBlock: Int, ceiling: Float,
        response: (RackDescription.Slot) -> (left: [Float], right: [Float]) = { _ in ([], []) }
    ) {
        let all = description.places.map { place in
            switch place {
            case .slot(let slot): (rows: [[slot]], gains: [Float(1)])
            case .branches(let rows, let gains): (rows: rows, gains: gains)
            }
        }
        widths = all.map(\.rows.count)
        count = widths.reduce(0, +)
        placeCount = widths.count
        places = .allocate(capacity: max(1, placeCount))
        branches = .allocate(capacity: max(1, count))
        var next = 0
        for (i, place) in all.enumerated() {
            (places + i).initialize(to: place.rows.count)
            let latest = place.rows.map { Self.latency($0, rate) }.max() ?? 0
            for (row, gain) in zip(place.rows, place.gains) {
                (branches + next).initialize(
                    to: Branch(
                        row, gain: gain, latest: latest, rate: rate, largestBlock: largestBlock, response: response))
                next += 1
            }
        }
        stride = largestBlock + 64
        work = .allocate(capacity: 4 * stride)
        work.initialize(repeating: 0, count: 4 * stride)
        limiter = Limiter(rate: rate, largestBlock: largestBlock)
        limit = Limiter.Settings()
        limit.ceiling = ceiling
    }

    deinit {
        branches.deinitialize(count: count)
        branches.deallocate()
        places.deallocate()
        work.deallocate()
    }

    /// Of a row of slots, samples.
    private static func latency(_ row: [RackDescription.Slot], _ rate: Float) -> Int {
        row.reduce(0) { $0 + EffectUnit($1.kind, rate: rate, largestBlock: 16).latency }
    }

    /// Samples by which the output is late.
    public var latency: Int {
        var next = 0
        return widths.reduce(limiter.latency) { sum, width in
            defer { next += width }
            return sum + (next..<next + width).reduce(0) { max($0, branches[$1].latency) }
        }
    }

    /// Samples after the end of the input until the output is under -60 dB.
    public var tail: Int {
        var next = 0
        return widths.reduce(0) { sum, width in
            defer { next += width }
            return sum + (next..<next + width).reduce(0) { max($0, branches[$1].tail) }
        }
    }

    /// The limiter's largest reduction in the last block, decibels.
    public var reduction: Float { @_noLocks @_noAllocation get { limiter.reduction } }

    /// One block, in place.
    ///
    /// - Parameters:
    ///   - left, right: `frames` samples each, with room for whole lanes of 16.
    ///   - frames: at most the largest block.
    @_noLocks @_noAllocation
    public mutating func process(
        _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, frames: Int
    ) {
        var next = 0
        for place in 0..<placeCount {
            let width = places[place]
            if width == 1 && branches[next].gain == 1 {
                branches[next].process(left, right, frames: frames)
            } else {
                processSideBySide(next, width, left, right, frames)
            }
            next = next &+ width
        }
        limiter.process(left, right, frames: frames, settings: limit)
    }

    @_noLocks @_noAllocation
    private mutating func processSideBySide(
        _ first: Int, _ width: Int, _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>,
        _ frames: Int
    ) {
        let (inLeft, inRight, ownLeft, ownRight) = (work, work + stride, work + 2 &* stride, work + 3 &* stride)
        rt_copy(inLeft, left, frames)
        rt_copy(inRight, right, frames)
        rt_zero(left, frames)
        rt_zero(right, frames)
        for i in first..<first &+ width {
            rt_copy(ownLeft, inLeft, frames)
            rt_copy(ownRight, inRight, frames)
            branches[i].process(ownLeft, ownRight, frames: frames)
            let gain = branches[i].gain
            for n in 0..<frames {
                left[n] += gain * ownLeft[n]
                right[n] += gain * ownRight[n]
            }
        }
    }
}
