internal import DSP
internal import Glibc

/// Directions on rings of equal elevation, about equally far apart, from straight down to straight up.
public struct DirectionGrid: Sendable, Equatable {
    /// Number of directions on each ring; the first is straight ahead.
    let counts: [Int]
    /// Number of the first direction of each ring.
    let begins: [Int]
    /// Number of directions.
    public let count: Int

    /// - Parameter step: angle between rings, degrees; 180 is a multiple of it.
    public init(step: Double) {
        let rings = Int(clamping: (180 / step).rounded())
        counts = (0...rings).map { ring in
            let elevation = (Double(ring) * step - 90) * .pi / 180
            return max(1, Int(clamping: (360 / step * cos(elevation)).rounded(.up)))
        }
        var sum = 0
        var begins: [Int] = []
        for ring in counts {
            begins.append(sum)
            sum += ring
        }
        self.begins = begins
        count = sum
    }

    /// Unit vectors of a ring's directions: front, left, up.
    func units(ring: Int) -> [SIMD3<Double>] {
        let elevation = 180 * Double(ring) / Double(counts.count - 1) - 90
        return (0..<counts[ring]).map { HeadDirections.unit(azimuth: 360 * Double($0) / Double(counts[ring]), elevation: elevation) }
    }
}
