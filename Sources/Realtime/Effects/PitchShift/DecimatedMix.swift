internal import CRealtime
internal import DSP

/// Both sides mixed at a quarter of the rate: enough to find approximately where a sound repeats.
struct DecimatedMix: ~Copyable, Sendable {
    private var line: DelayLine
    private var sum: Float = 0
    private var gathered = 0

    /// - Parameter longest: samples of the full rate.
    init(longest: Int) { line = DelayLine(longest: longest / 4 + 64) }

    @_noLocks @_noAllocation
    mutating func reset() {
        line.reset()
        sum = 0
        gathered = 0
    }

    @_noLocks @_noAllocation @inline(__always)
    mutating func append(_ x: Lanes, count: Int) {
        for i in 0..<count {
            sum += x[i]
            gathered = gathered &+ 1
            guard gathered == 4 else { continue }
            line.write(rt_all16(sum))
            line.advance(1)
            sum = 0
            gathered = 0
        }
    }

    /// Returns sixteen samples, the first of them `delay` samples behind the newest.
    @_noLocks @_noAllocation @inline(__always)
    func read(_ delay: Int) -> Lanes { line.read(delay) }
}
