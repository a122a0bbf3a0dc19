internal import Glibc

/// Measured directions that filters are fitted to, and their weights.
///
/// A direction is weighted by its share of the sphere's surface, and by the twelfth power of the elevation's cosine:
/// the ring resolves sound in its own plane best, and most sources around a head are near the horizon. Without this
/// second weight, the errors of the delays at the ears double.
struct HeadDirections: Sendable {
    /// Maximum number of directions; when there are more, those with close neighbours are left out first, those on the horizon last.
    static let most = 1000
    /// Directions closer than this share the weight of one, degrees.
    private static let reach = 6.0
    private static let emphasis = 12.0

    /// Indices of the measured responses.
    let indices: [Int]
    /// Unit vectors: front, left, up.
    let units: [SIMD3<Double>]
    /// Weights; their sum is 1.
    let weights: [Double]
    /// Shares of the sphere's surface; their sum is 1.
    let shares: [Double]

    init(_ responses: HeadResponses) {
        let all = (0..<responses.count).map {
            Self.unit(azimuth: responses.azimuths[$0], elevation: responses.elevations[$0])
        }
        let levelFirst = all.indices.sorted { (abs(all[$0].z), $0) < (abs(all[$1].z), $1) }
        var chosen = levelFirst
        var gap = 1.0
        while chosen.count > Self.most {
            chosen = Self.thinned(levelFirst, all, nearest: cos(gap * .pi / 180))
            gap *= 1.2
        }
        indices = chosen.sorted()
        let units = indices.map { all[$0] }
        let narrow = 1 / pow(Self.reach * .pi / 180, 2)
        let surface = units.map { unit in
            // For small angles, 2 - 2 cos is the square of the angle.
            1 / units.reduce(0.0) { $0 + exp(-max(0, 2 - 2 * Self.cosine(unit, $1)) * narrow) }
        }
        let emphasised = zip(units, surface).map { pow(max(0, 1 - $0.z * $0.z), Self.emphasis / 2) * $1 }
        func normalised(_ values: [Double]) -> [Double] {
            let sum = values.reduce(0, +)
            return values.map { $0 / sum }
        }
        self.units = units
        weights = normalised(emphasised)
        shares = normalised(surface)
    }

    static func unit(azimuth: Double, elevation: Double) -> SIMD3<Double> {
        let (a, e) = (azimuth * .pi / 180, elevation * .pi / 180)
        return SIMD3(cos(e) * cos(a), cos(e) * sin(a), sin(e))
    }

    static func cosine(_ a: SIMD3<Double>, _ b: SIMD3<Double>) -> Double {
        max(-1, min(1, a.x * b.x + a.y * b.y + a.z * b.z))
    }

    private static func thinned(_ order: [Int], _ all: [SIMD3<Double>], nearest: Double) -> [Int] {
        var kept: [Int] = []
        for index in order where !kept.contains(where: { cosine(all[$0], all[index]) > nearest }) {
            kept.append(index)
            if kept.count > most { break }
        }
        return kept
    }
}
