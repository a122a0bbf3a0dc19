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

    /// - Parameters:
    ///   - goal: target; its phases are fitted as well as its magnitudes unless `isFree`.
    ///   - isExact: the target can be met, so that no level is lost.
    mutating func fit(
        _ matrix: borrowing SteeringMatrix, _ system: HermitianSystem, _ goal: HRTFTarget, weights: [Float],
        isExact: Bool, isFree: Bool
    ) {
        guard goal.energy > 0 else {
            filter = .init(repeating: Complex(0), count: matrix.count)
            return
        }
        if !isFree || filter.isEmpty {
            wish.set(goal)
            filter = system.solve(matrix.project(wish))
            guard !isExact else { return }
            matrix.apply(filter, into: result)
            restoreLevel(goal, weights)
            return
        }
        matrix.apply(filter, into: wish)
        turn(matrix, system, goal)
        wish.copy(from: result)
        for _ in 0..<HRTFDesign.passes {
            turn(matrix, system, goal)
            wish.overshoot(result, before)
        }
        restoreLevel(goal, weights)
    }

    /// Restores the energy that the fit has lost in `result`.
    private mutating func restoreLevel(_ goal: HRTFTarget, _ weights: [Float]) {
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
