internal import Glibc

/// Learns how much of two filters' offset, speed and acceleration lead to where the head really went: recursive least
/// squares with exponential forgetting and a prior.
///
/// For a head that swings at one frequency, a tremor or a gait, a share of its speed and one of its acceleration are the
/// whole truth; those shares are what is found here.
struct WayLearner: Sendable {
    /// Seconds after which what was learnt counts a third.
    private static let memory = 1.0
    /// Square radians times seconds: what has to be seen before the prior, one filter believed as it is, is left.
    private static let doubt = 1e-6
    private static let prior: [Double] = [1, 1, 1, 0, 0, 0]
    private static let count = 6

    /// Normal equations: six rows of six, and the right side.
    private var products: [Double]
    private var targets: [Double]
    private var shares = Self.prior
    private var work: [Double]

    init() {
        products = .init(repeating: 0, count: Self.count * Self.count)
        targets = .init(repeating: 0, count: Self.count)
        work = .init(repeating: 0, count: Self.count * (Self.count + 1))
    }

    private static func features(_ a: HeadWay, _ b: HeadWay, _ seconds: Double) -> InlineArray<6, SIMD3<Double>> {
        let square = seconds * seconds / 2
        return [
            a.offset, a.velocity * seconds, a.acceleration * square, b.offset, b.velocity * seconds,
            b.acceleration * square,
        ]
    }

    /// - Parameters:
    ///   - a, b: what two filters said.
    ///   - seconds: how long ago.
    ///   - real: where the head has gone since.
    ///   - passed: seconds since this was called last.
    mutating func learn(_ a: HeadWay, _ b: HeadWay, seconds: Double, real: SIMD3<Double>, passed: Double) {
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

    func way(_ a: HeadWay, _ b: HeadWay) -> HeadWay {
        HeadWay(
            offset: a.offset * shares[0] + b.offset * shares[3],
            velocity: a.velocity * shares[1] + b.velocity * shares[4],
            acceleration: a.acceleration * shares[2] + b.acceleration * shares[5])
    }

    /// Gaussian elimination without pivoting: the matrix is positive definite, the doubt on its diagonal.
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
