internal import DSP

/// What one ear is to hear of every direction at one frequency.
struct PersonalGoal: Sendable {
    let re: [Float]
    let im: [Float]
    let magnitudes: [Float]
    /// The weighted sum of squared magnitudes.
    let energy: Double

    /// Hz; below the first, the sphere with the head's radius stands in for the measurement, whose loudspeaker had
    /// little to say; above the second, the measurement stands alone.
    static let measured = (200.0, 400.0)

    /// - Parameters:
    ///   - responses: of each direction.
    ///   - width: of the rows, whole lanes.
    init(_ responses: [Complex], weights: [Double], width: Int) {
        func row(_ value: (Complex) -> Double) -> [Float] {
            responses.map { Float(value($0)) } + [Float](repeating: 0, count: width - responses.count)
        }
        re = row(\.re)
        im = row(\.im)
        magnitudes = row(\.magnitude)
        energy = zip(responses, weights).reduce(0) { $0 + $1.1 * ($1.0.re * $1.0.re + $1.0.im * $1.0.im) }
    }
}
