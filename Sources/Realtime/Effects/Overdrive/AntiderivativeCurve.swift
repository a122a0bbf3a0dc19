internal import DSP

/// A curve of ``Overdrive`` whose antiderivative is known, for ``StepMean``.
enum AntiderivativeCurve {
    case soft, hard

    @_noLocks @_noAllocation @inline(__always)
    func value(_ x: Lanes) -> Lanes {
        switch self {
        case .soft: SoftCurve.value(x)
        case .hard: HardCurve.value(x)
        }
    }

    /// The antiderivative less the magnitude of `x`: small, so that its rounding is small as well.
    @_noLocks @_noAllocation @inline(__always)
    func rest(_ x: Lanes) -> Lanes {
        switch self {
        case .soft: SoftCurve.rest(x)
        case .hard: HardCurve.rest(x)
        }
    }
}
