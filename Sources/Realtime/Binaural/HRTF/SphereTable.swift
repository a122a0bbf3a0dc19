internal import DSP
internal import Glibc

/// Lookup table of the pressure on a rigid sphere at one frequency, by the angle to the source.
///
/// Interpolated by a cubic: the error is 0.01 % at 24 kHz on a sphere of 0.0875 m.
struct SphereTable: Sendable {
    /// Steps from 0 to 180 degrees.
    static let steps = 512

    /// One entry before the first step and two after the last are mirrored.
    let re: [Float]
    let im: [Float]

    init(_ modes: SphereModes) {
        let pressures = (-1...Self.steps + 2).map { step in
            modes.pressure(cosine: cos(.pi * Double(step) / Double(Self.steps)))
        }
        re = pressures.map { Float($0.re) }
        im = pressures.map { Float($0.im) }
    }

    /// Place of an angle in any table.
    struct Place: BitwiseCopyable, Sendable {
        let index: Int
        /// Weights of the four entries from `index` on.
        let shares: SIMD4<Float>

        /// - Parameter cosine: cosine of the angle.
        init(cosine: Double) {
            let along = acos(cosine) * Double(SphereTable.steps) / .pi
            index = min(Int(clamping: along), SphereTable.steps)
            let t = Float(along - Double(index))
            // Lagrange's cubic through -1, 0, 1, 2.
            shares = SIMD4(
                -t * (t - 1) * (t - 2) / 6, (t + 1) * (t - 1) * (t - 2) / 2, -(t + 1) * t * (t - 2) / 2,
                (t + 1) * t * (t - 1) / 6)
        }
    }
}
