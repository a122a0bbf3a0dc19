internal import CRealtime
internal import DSP

/// One path of ``Convolution``, from an input to an output.
struct ConvolutionSide: ~Copyable, Sendable {
    /// Number of directly convolved taps, and samples after which the first spectra are due.
    static var part: Int { @_noLocks @_noAllocation get { 128 } }
    static var middle: Int { @_noLocks @_noAllocation get { 1024 } }
    static var large: Int { @_noLocks @_noAllocation get { 4096 } }

    private let owner: SideSpectra
    // SAFETY: a row of `owner`, which is never changed.
    private nonisolated(unsafe) let taps: UnsafeMutablePointer<Float>
    private let input: HistoryRow
    private var near: PartitionedStage
    private var middle: SpreadStage
    private var far: SpreadStage
    /// Samples since the last spectra.
    private(set) var gathered = 0

    init(_ spectra: SideSpectra) {
        owner = spectra
        taps = spectra.taps.samples
        input = HistoryRow(history: Self.part, largestBlock: Self.part)
        near = PartitionedStage(spectra.near)
        middle = SpreadStage(spectra.middle, small: Self.part)
        far = SpreadStage(spectra.far, small: Self.part)
    }

    @_noLocks @_noAllocation
    mutating func reset() {
        input.reset()
        near.reset()
        middle.reset()
        far.reset()
        gathered = 0
    }

    /// Takes input: at most as many frames as are missing until ``part``.
    @_noLocks @_noAllocation
    mutating func take(_ samples: UnsafePointer<Float>, _ count: Int) {
        rt_copy(input.block, samples, count)
        near.take(samples, count, at: gathered)
        middle.take(samples, count, at: gathered)
        far.take(samples, count, at: gathered)
    }

    /// Writes the output for the frames that were taken.
    /// - Parameter adds: whether the output is added to the present samples.
    @_noLocks @_noAllocation
    mutating func give(_ samples: UnsafeMutablePointer<Float>, _ count: Int, frame: Int, gain: Ramp, adds: Bool) {
        let nearOutput = near.output + gathered
        let middleOutput = middle.output + gathered
        let farOutput = far.output + gathered
        var at = 0
        while at < count {
            let direct = direct(input.block + at)
            let late = nearOutput.lanes(at) + middleOutput.lanes(at) + farOutput.lanes(at)
            let wet = (direct + late) * gain.lanes(frame &+ at)
            samples.setLanes(at, adds ? samples.lanes(at) + wet : wet, count: min(laneCount, count &- at))
            at = at &+ laneCount
        }
        input.advance(count)
        gathered = gathered &+ count
        guard gathered == Self.part else { return }
        gathered = 0
        near.transformInput()
        near.multiply(0, 1)
        near.transformOutput()
        middle.work()
        far.work()
    }

    @_noLocks @_noAllocation @inline(__always)
    private func direct(_ x: UnsafeMutablePointer<Float>) -> Lanes {
        var (a, b, c, d) = (Lanes.zero, Lanes.zero, Lanes.zero, Lanes.zero)
        let taps = taps
        var tap = 0
        while tap < Self.part {
            a = rt_fma16(x.lanes(-tap), rt_all16(taps[tap]), a)
            b = rt_fma16(x.lanes(-tap &- 1), rt_all16(taps[tap &+ 1]), b)
            c = rt_fma16(x.lanes(-tap &- 2), rt_all16(taps[tap &+ 2]), c)
            d = rt_fma16(x.lanes(-tap &- 3), rt_all16(taps[tap &+ 3]), d)
            tap = tap &+ 4
        }
        return (a + b) + (c + d)
    }
}
