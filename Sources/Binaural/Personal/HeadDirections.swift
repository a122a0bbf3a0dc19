internal import Glibc

/// Which measured directions filters are fitted to, and how much each counts.
///
/// Every direction stands for its share of the sphere's surface. The ring hears what is level with it best, and most
/// of what surrounds a head is near the horizon: directions count the less the higher or lower they are, by the
/// twelfth power of the elevation's cosine. Without it, the delays at the ears are off by twice as much.
struct HeadDirections: Sendable {
    /// The most that are used; of more, those are left out that have a close neighbour, the horizon last.
    static let most = 1000
    /// Degrees; directions closer than this share what one alone would count.
    private static let reach = 6.0
    private static let emphasis = 12.0

    /// In the responses that were measured.
    let indices: [Int]
    /// Unit vectors: front, left, up.
    let units: [SIMD3<Double>]
    /// Together 1.
    let weights: [Double]

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
        let shares = units.map { unit in
            // For close neighbours 2 - 2 cos is the angle's square.
            let crowd = units.reduce(0.0) { $0 + exp(-max(0, 2 - 2 * Self.cosine(unit, $1)) * narrow) }
            return pow(max(0, 1 - unit.z * unit.z), Self.emphasis / 2) / crowd
        }
        let sum = shares.reduce(0, +)
        self.units = units
        weights = shares.map { $0 / sum }
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
