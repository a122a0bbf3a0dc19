internal import CRealtime
internal import DSP

/// Input of ``Reverb`` with its past: both sides, plain and diffused.
struct ReverbEntry: ~Copyable, Sendable {
    private(set) var left: DelayLine
    private(set) var right: DelayLine
    private(set) var diffuseLeft: DelayLine
    private(set) var diffuseRight: DelayLine
    private var leftDiffuser: Diffuser
    private var rightDiffuser: Diffuser

    /// - Parameter longest: number of past samples that the rooms read.
    init(rate: Float, longest: Int) {
        left = DelayLine(longest: longest)
        right = DelayLine(longest: longest)
        diffuseLeft = DelayLine(longest: longest)
        diffuseRight = DelayLine(longest: longest)
        leftDiffuser = Diffuser(rate: rate, places: .init(3.1, 4.3, 7.3, 9.7))
        rightDiffuser = Diffuser(rate: rate, places: .init(2.9, 4.7, 6.9, 10.3))
    }

    @_noLocks @_noAllocation
    mutating func reset() {
        left.reset()
        right.reset()
        diffuseLeft.reset()
        diffuseRight.reset()
        leftDiffuser.reset()
        rightDiffuser.reset()
    }

    @_noLocks @_noAllocation @inline(__always)
    func write(_ xLeft: Lanes, _ xRight: Lanes, _ diffusion: Diffusion, frame: Int, count: Int) {
        left.write(xLeft)
        right.write(xRight)
        let coefficient = diffusion.coefficient.lanes(frame)
        let (diffused, plain) = (diffusion.diffused.lanes(frame), diffusion.plain.lanes(frame))
        diffuseLeft.write(leftDiffuser.process(xLeft, coefficient, count: count) * diffused + xLeft * plain)
        diffuseRight.write(rightDiffuser.process(xRight, coefficient, count: count) * diffused + xRight * plain)
    }

    @_noLocks @_noAllocation @inline(__always)
    mutating func advance(_ count: Int) {
        left.advance(count)
        right.advance(count)
        diffuseLeft.advance(count)
        diffuseRight.advance(count)
    }
}
