internal import DSP

/// Fits one ear's weights, one frequency after the other.
struct HRTFFit {
    /// Weight of each microphone at the last frequency.
    private(set) var filter: [Complex] = []
    private var result: PlanarRow
    private var before: PlanarRow
    private let wish: PlanarRow

    /// - Parameter width: width of the rows of directions.
    init(width: Int) {
        result = PlanarRow(width: width)
        before = PlanarRow(width: width)
        wish = PlanarRow(width: width)
    }

    /// - Parameter isComplex: whether the phase is fitted as well as the magnitude.
    mutating func fit(
        _ matrix: borrowing SteeringMatrix, _ system: HermitianSystem, _ goal: HRTFTarget, weights: [Float],
        isComplex: Bool
    ) {
        guard goal.energy > 0 else {
            filter = .init(repeating: Complex(0), count: matrix.count)
            return
        }
        if isComplex || filter.isEmpty {
            wish.re.update(from: goal.re, count: goal.re.count)
            wish.im.update(from: goal.im, count: goal.im.count)
            filter = system.solve(matrix.project(wish))
            return
        }
        matrix.apply(filter, into: wish)
        turn(matrix, system, goal)
        wish.copy(from: result)
        for _ in 0..<HRTFDesign.passes {
            turn(matrix, system, goal)
            wish.overshoot(result, before)
        }
        let energy = result.energy(weights: weights)
        let gain = energy > 0 ? (goal.energy / energy).squareRoot() : 1
        filter = filter.map { gain * $0 }
    }

    /// Computes weights from the target with its present phases, and the response that they give.
    private mutating func turn(_ matrix: borrowing SteeringMatrix, _ system: HermitianSystem, _ goal: HRTFTarget) {
        wish.take(magnitudes: goal.magnitudes)
        filter = system.solve(matrix.project(wish))
        swap(&result, &before)
        matrix.apply(filter, into: result)
    }
}
