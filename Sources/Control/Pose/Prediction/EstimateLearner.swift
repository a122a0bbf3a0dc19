internal import Glibc

/// Learns the weights of two filters' offset, velocity and acceleration that best predict the head's motion: recursive least
/// squares with exponential forgetting and a prior.
///
/// For a head that oscillates at one frequency, as in tremor or gait, a weighted sum of velocity and acceleration is exact;
/// those weights are found here.
struct EstimateLearner: Sendable {
    /// Time constant of forgetting in seconds.
    private static let memory = 1.0
    /// Weight of the prior in square radians times seconds. The prior uses one filter unchanged.
    private static let doubt = 1e-6
    private static let prior: [Double] = [1, 1, 1, 0, 0, 0]
    private static let count = 6

    /// Normal equations: a matrix of six by six, and the right-hand side.
    private var products: [Double]
    private var targets: [Double]
    private var shares = Self.prior
    private var work: [Double]

    init() {
        products = .init(repeating: 0, count: Self.count * Self.count)
        targets = .init(repeating: 0, count: Self.count)
        work = .init(repeating: 0, count: Self.count * (Self.count + 1))
    }

    private static func features(_ a: MotionEstimate, _ b: MotionEstimate, _ seconds: Double) -> InlineArray<6, SIMD3<Double>> {
        let square = seconds * seconds / 2
        return [
            a.offset, a.velocity * seconds, a.acceleration * square, b.offset, b.velocity * seconds,
            b.acceleration * square,
        ]
    }

    /// - Parameters:
    ///   - a, b: earlier predictions of the two filters.
    ///   - seconds: time since those predictions.
    ///   - real: the head's actual motion since then.
    ///   - passed: seconds since the previous call.
    mutating func learn(_ a: MotionEstimate, _ b: MotionEstimate, seconds: Double, real: SIMD3<Double>, passed: Double) {
        let features = Self.features(a, b, seconds)
        let kept = exp(-passed / Self.memory)
        for row in 0..<Self.count {
            for column in row..<Self.count {
                let at = row * Self.count + column
                products[at] = products[at] * kept + (features[row] * features[column]).sum() * passed
            }
            targets[row] = targets[row] * kept + (features[row] * real).sum() * passed
        }
        solve()
    }

    func estimate(_ a: MotionEstimate, _ b: MotionEstimate) -> MotionEstimate {
        MotionEstimate(
            offset: a.offset * shares[0] + b.offset * shares[3],
            velocity: a.velocity * shares[1] + b.velocity * shares[4],
            acceleration: a.acceleration * shares[2] + b.acceleration * shares[5])
    }

    /// Gaussian elimination without pivoting: the prior on the diagonal makes the matrix positive definite.
    private mutating func solve() {
        let n = Self.count
        let width = n + 1
        for row in 0..<n {
            for column in 0..<n { work[row * width + column] = products[min(row, column) * n + max(row, column)] }
            work[row * width + row] += Self.doubt
            work[row * width + n] = targets[row] + Self.doubt * Self.prior[row]
        }
        for pivot in 0..<n {
            for row in pivot + 1..<max(n, pivot + 1) {
                let factor = work[row * width + pivot] / work[pivot * width + pivot]
                for column in pivot...n { work[row * width + column] -= factor * work[pivot * width + column] }
            }
        }
        for row in (0..<n).reversed() {
            var rest = work[row * width + n]
            for column in row + 1..<max(n, row + 1) { rest -= work[row * width + column] * shares[column] }
            shares[row] = rest / work[row * width + row]
        }
    }
}
