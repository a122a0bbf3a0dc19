internal import DSP

/// Phases of one ear's responses to all directions at one frequency that the filters of every turn of the head share.
///
/// Filters whose magnitudes alone are fitted have free phases. Were these found for each turn by itself, they would differ
/// from one turn to the next, and a turning head would be heard as modulation. One phase for a direction relative to the
/// head, whatever the turn of the ring below it, makes the filters a smooth function of the turn.
struct HRTFTurns {
    /// Number of turns, spread over one sector, for which phases are fitted: more on an uneven ring, whose sector is the circle.
    private static let (even, uneven) = (4, 8)
    static let passes = 10

    private let matrices: [SteeringMatrixBox]
    private let wish: PlanarRow
    private let result: PlanarRow
    private let sum: PlanarRow
    private let before: PlanarRow

    /// Steering matrix on the heap, so that several fit in an array.
    private final class SteeringMatrixBox {
        let matrix: SteeringMatrix
        var system: HermitianSystem

        init(_ matrix: consuming SteeringMatrix) {
            self.matrix = matrix
            system = HermitianSystem([], count: 0)
        }
    }

    init(_ layout: HRTFLayout, _ directions: HeadDirections, weights: [Float]) {
        let count = min(layout.sets, layout.sectors > 1 ? Self.even : Self.uneven)
        matrices = (0..<count).map { index in
            let yaw = Double(index * layout.sets / count) * layout.spacing
            return SteeringMatrixBox(SteeringMatrix(azimuths: layout.azimuths.map { $0 - yaw }, directions, weights: weights))
        }
        wish = PlanarRow(width: weights.count)
        result = PlanarRow(width: weights.count)
        sum = PlanarRow(width: weights.count)
        before = PlanarRow(width: weights.count)
    }

    /// Prepares another frequency.
    func begin(_ table: SphereTable) {
        for box in matrices {
            box.matrix.fill(table)
            box.system = box.matrix.system()
        }
    }

    /// Returns the target with the phases that the microphones reproduce best on average over the turns.
    func fit(_ goal: HRTFTarget) -> HRTFTarget {
        guard goal.energy > 0 else { return goal }
        wish.set(goal)
        for pass in 0..<Self.passes {
            wish.take(magnitudes: goal.magnitudes)
            sum.clear()
            for box in matrices {
                box.matrix.apply(box.system.solve(box.matrix.project(wish)), into: result)
                sum.add(result)
            }
            if pass == 0 { wish.copy(from: sum) } else { wish.overshoot(sum, before) }
            before.copy(from: sum)
        }
        wish.take(magnitudes: goal.magnitudes)
        return HRTFTarget(wish, like: goal)
    }
}
