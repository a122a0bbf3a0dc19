internal import DSP

/// Target response of one ear for every direction at one frequency.
struct HRTFTarget: Sendable {
    let re: [Float]
    let im: [Float]
    let magnitudes: [Float]
    /// Weighted sum of squared magnitudes.
    let energy: Double

    /// Crossfade, Hz: below the first frequency, a sphere with the head's radius replaces the measurement, whose loudspeaker
    /// has little output there; above the second, the measurement is used alone.
    static let measured = (200.0, 400.0)

    /// - Parameters:
    ///   - responses: response for each direction.
    ///   - width: width of the rows, whole lanes.
    init(_ responses: [Complex], weights: [Double], width: Int) {
        func row(_ value: (Complex) -> Double) -> [Float] {
            responses.map { Float(value($0)) } + [Float](repeating: 0, count: width - responses.count)
        }
        re = row { $0.re }
        im = row { $0.im }
        magnitudes = row { $0.magnitude }
        energy = zip(responses, weights).reduce(0) { $0 + $1.1 * ($1.0.re * $1.0.re + $1.0.im * $1.0.im) }
    }

    /// The same magnitudes with the phases of `row`, which has these magnitudes.
    init(_ row: PlanarRow, like goal: HRTFTarget) {
        re = Array(UnsafeBufferPointer(start: row.re, count: row.width))
        im = Array(UnsafeBufferPointer(start: row.im, count: row.width))
        magnitudes = goal.magnitudes
        energy = goal.energy
    }
}
