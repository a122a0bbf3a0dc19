internal import CRealtime

/// One digital section of second order: b0 + b1/z + b2/z^2 over 1 + a1/z + a2/z^2.
struct Section: BitwiseCopyable, Sendable {
    var b0: Double
    var b1: Double
    var b2: Double
    var a1: Double
    var a2: Double

    @_noLocks @_noAllocation
    init(b0: Double, b1: Double, b2: Double, a1: Double, a2: Double) {
        self.b0 = b0
        self.b1 = b1
        self.b2 = b2
        self.a1 = a1
        self.a2 = a2
    }

    static var through: Section { @_noLocks @_noAllocation get { Section(b0: 1, b1: 0, b2: 0, a1: 0, a2: 0) } }

    /// The minimum-phase section whose squared magnitude is `b` over `a`, each a sum of
    /// cos^2(w/2), sin^2(w/2) and sin^2(w); nil where that is negative somewhere.
    ///
    /// Source: Vicanek, "Matched Second Order Digital Filters", 2016, equations 26 and 27.
    @_noLocks @_noAllocation
    init?(squared b: SIMD4<Double>, over a: SIMD4<Double>) {
        guard b[0] >= 0, b[1] >= 0, a[0] > 0, a[1] > 0 else { return nil }
        let (bZero, bHalf) = (rt_sqrt_double(b[0]), rt_sqrt_double(b[1]))
        let (aZero, aHalf) = (rt_sqrt_double(a[0]), rt_sqrt_double(a[1]))
        let bMean = (bZero + bHalf) / 2
        let aMean = (aZero + aHalf) / 2
        let bRoot = bMean * bMean + b[2]
        let aRoot = aMean * aMean + a[2]
        guard bRoot >= 0, aRoot > 0 else { return nil }
        let b0 = (bMean + rt_sqrt_double(bRoot)) / 2
        let a0 = (aMean + rt_sqrt_double(aRoot)) / 2
        guard a0 > 0, b0 > 0 else { return nil }
        self.init(
            b0: b0 / a0, b1: (bZero - bHalf) / 2 / a0, b2: -b[2] / (4 * b0) / a0, a1: (aZero - aHalf) / 2 / a0,
            a2: -a[2] / (4 * a0) / a0)
        // Inside the stability triangle, with a margin for rounding.
        guard abs(self.a2) < 1, abs(a1) < 1 + self.a2 else { return nil }
    }
}
