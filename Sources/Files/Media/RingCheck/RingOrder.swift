internal import Foundation

/// The order in which the signals of microphones fit their places on a ring.
///
/// At low frequencies a sound field varies slowly around a rigid sphere: harmonics of the azimuth beyond the third are about 50 dB below
/// the others at `kr` = 1, whatever the sources are. In a wrong order they are not. The share of their power is what is minimised.
struct RingOrder {
    private let count: Int
    private let azimuths: [Double]
    /// Projector onto the harmonics that a right order does not have.
    private let rest: [Double]
    private let covariance: [Double]
    /// Power that varies around the ring.
    private let total: Double

    /// - Parameters:
    ///   - covariance: of the channels, with their polarities corrected.
    ///   - azimuths: of the places, in degrees.
    init(_ covariance: [Double], azimuths: [Double]) {
        (self.covariance, self.azimuths, count) = (covariance, azimuths, azimuths.count)
        rest = Self.rest(azimuths)
        let trace = (0..<azimuths.count).reduce(0) { $0 + covariance[$1 * (azimuths.count + 1)] }
        total = max(1e-300, trace - covariance.reduce(0, +) / Double(azimuths.count))
    }

    /// Highest harmonic of the azimuth that a right order may have.
    static func harmonics(_ count: Int) -> Int { count < 8 ? 1 : count < 12 ? 2 : 3 }

    private static func rest(_ azimuths: [Double]) -> [Double] {
        let count = azimuths.count
        var basis: [[Double]] = []
        func add(_ function: (Double) -> Double) {
            var vector = azimuths.map { function($0 * .pi / 180) }
            for other in basis {
                let product = zip(vector, other).reduce(0) { $0 + $1.0 * $1.1 }
                for i in vector.indices { vector[i] -= product * other[i] }
            }
            let length = vector.reduce(0) { $0 + $1 * $1 }.squareRoot()
            if length > 1e-6 { basis.append(vector.map { $0 / length }) }
        }
        add { _ in 1 }
        for harmonic in 1...harmonics(count) {
            add { cos(Double(harmonic) * $0) }
            add { sin(Double(harmonic) * $0) }
        }
        return (0..<count * count).map { i in
            (i / count == i % count ? 1 : 0) - basis.reduce(0) { $0 + $1[i / count] * $1[i % count] }
        }
    }

    /// Share of the power in harmonics that a right order does not have, 0 to 1.
    /// - Parameter order: the channel at each place.
    func misfit(_ order: [Int]) -> Double {
        var sum = 0.0
        for one in 0..<count { for other in 0..<count { sum += rest[one * count + other] * covariance[order[one] * count + order[other]] } }
        return max(0, sum) / total
    }

    /// The order that fits best.
    var best: [Int] {
        let present = Array(0..<count)
        guard count > 8 else { return exhaustive(present) }
        var starts = [present, byAngle]
        // Further starts, from which another minimum may be reached.
        if count <= 24 { for step in [5, 7, 11, 13] { starts.append(present.sorted { ($0 * step) % 31 < ($1 * step) % 31 }) } }
        return starts.map(improved).min { misfit($0) < misfit($1) } ?? present
    }

    /// The best of all orders with the first channel in its place; all other orders are rotations of these.
    private func exhaustive(_ present: [Int]) -> [Int] {
        var (best, least) = (present, misfit(present))
        var order = present
        func permute(_ place: Int) {
            guard place < count else {
                let value = misfit(order)
                if value < least { (best, least) = (order, value) }
                return
            }
            for other in place..<count {
                order.swapAt(place, other)
                permute(place + 1)
                order.swapAt(place, other)
            }
        }
        permute(1)
        return best
    }

    /// Whether no exchange of two channels fits about as well.
    func isUnique(_ order: [Int]) -> Bool {
        let least = max(3 * misfit(order), misfit(order) + 2e-5)
        for one in 0..<count {
            for other in 0..<one {
                var changed = order
                changed.swapAt(one, other)
                if misfit(changed) < least, !isEquivalent(changed, order) { return false }
            }
        }
        return true
    }

    /// Whether one order is another one turned or mirrored.
    func isEquivalent(_ one: [Int], _ other: [Int]) -> Bool { turned(one).contains(other) }

    /// An order turned and mirrored, which sound alone cannot distinguish.
    private func turned(_ order: [Int]) -> [[Int]] {
        let ring = (0..<count).sorted { azimuths[$0] < azimuths[$1] }
        let channels = ring.map { order[$0] }
        return [channels, channels.reversed()].flatMap { channels in
            (0..<count).map { shift in
                var turned = order
                for (place, index) in ring.enumerated() { turned[index] = channels[(place + shift) % count] }
                return turned
            }
        }
    }

    /// The turned or mirrored order that leaves most channels in their places.
    func nearest(_ order: [Int]) -> [Int] {
        let limit = 1.1 * misfit(order) + 1e-6
        return turned(order).filter { misfit($0) <= limit }.max { kept($0) < kept($1) } ?? order
    }

    private func kept(_ order: [Int]) -> Int { order.enumerated().count { $0.offset == $0.element } }

    /// Channels in the order of their angles in the plane of the two strongest variations.
    private var byAngle: [Int] {
        var centred = covariance
        let means = (0..<count).map { row in (0..<count).reduce(0) { $0 + covariance[row * count + $1] } / Double(count) }
        let mean = means.reduce(0, +) / Double(count)
        for i in centred.indices { centred[i] += mean - means[i / count] - means[i % count] }
        let first = eigenvector(centred, besides: [])
        let second = eigenvector(centred, besides: [first])
        let angles = zip(first, second).map { atan2($0, $1) }
        let ring = (0..<count).sorted { azimuths[$0] < azimuths[$1] }
        var order = [Int](repeating: 0, count: count)
        for (place, channel) in (0..<count).sorted(by: { angles[$0] < angles[$1] }).enumerated() { order[ring[place]] = channel }
        return order
    }

    /// The eigenvector of the largest eigenvalue, by iteration.
    private func eigenvector(_ matrix: [Double], besides others: [[Double]]) -> [Double] {
        var vector = (0..<count).map { cos(1.7 * Double($0) + Double(others.count)) }
        for _ in 0..<300 {
            var next = (0..<count).map { row in (0..<count).reduce(0) { $0 + matrix[row * count + $1] * vector[$1] } }
            for other in others {
                let product = zip(next, other).reduce(0) { $0 + $1.0 * $1.1 }
                for i in next.indices { next[i] -= product * other[i] }
            }
            let length = next.reduce(0) { $0 + $1 * $1 }.squareRoot()
            guard length > 0 else { return vector }
            vector = next.map { $0 / length }
        }
        return vector
    }

    /// Exchanges channels and reverses parts of the ring as long as that improves the fit.
    private func improved(_ start: [Int]) -> [Int] {
        var (order, least) = (start, misfit(start))
        var isBetter = true
        while isBetter {
            isBetter = false
            for one in 0..<count {
                for other in one + 1..<count {
                    var exchanged = order
                    exchanged.swapAt(one, other)
                    var reversed = order
                    reversed[one...other].reverse()
                    for changed in [exchanged, reversed] {
                        let value = misfit(changed)
                        if value < least - 1e-9 { (order, least, isBetter) = (changed, value, true) }
                    }
                }
            }
        }
        return order
    }
}
