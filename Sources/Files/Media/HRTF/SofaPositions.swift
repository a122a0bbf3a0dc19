internal import Glibc

/// A table of positions or directions, one for all responses or one for each.
struct SofaPositions {
    /// Largest magnitude of an angle in degrees, and of a coordinate.
    private static let largestAngle: Float = 360
    private static let farthest: Float = 1e6

    /// One, or the number of directions.
    let count: Int
    let isSpherical: Bool
    private let values: [Float]
    /// Degrees per unit of angles.
    private let scale: Double

    /// - Parameters:
    ///   - type: kind of coordinates where the file does not say.
    ///   - directions: number of directions of the responses.
    init(_ variable: SofaTables.Variable, _ name: String, type: String, directions: Int) throws(SofaRefusal) {
        let isTable = variable.sizes(atLeast: 2) == [directions, 3] && variable.values.count == 3 * directions
        guard isTable || variable.values.count == 3 else {
            throw .unusable(
                "its variable \(name) has the sizes \(variable.extent), but must have three numbers for each of "
                    + "\(counted(directions, "direction")), or once for all")
        }
        let type = variable.type.isEmpty ? type : variable.type
        guard type == "spherical" || type == "cartesian" else {
            throw .unusable("its variable \(name) has coordinates of the type \"\(type)\", which is neither spherical nor cartesian")
        }
        isSpherical = type == "spherical"
        scale = variable.units.hasPrefix("rad") ? 180 / .pi : 1
        count = variable.values.count / 3
        values = variable.values
        guard isSpherical else {
            try SofaRange.check(values, "a coordinate of \(name)", -Self.farthest...Self.farthest, "m") { "position \($0 / 3 + 1)" }
            return
        }
        for (column, word) in ["an azimuth", "an elevation"].enumerated() {
            let angles = (0..<count).map { Float(Double(values[3 * $0 + column]) * scale) }
            try SofaRange.check(angles, word, -Self.largestAngle...Self.largestAngle, "degrees") { "\(name), position \($0 + 1)" }
        }
    }

    private func row(_ index: Int) -> (Double, Double, Double) {
        let start = count == 1 ? 0 : 3 * index
        return (Double(values[start]), Double(values[start + 1]), Double(values[start + 2]))
    }

    /// Azimuth and elevation of spherical coordinates as they are in the file, degrees.
    func angles(_ index: Int) -> (azimuth: Double, elevation: Double) {
        let (azimuth, elevation, _) = row(index)
        return (azimuth * scale, elevation * scale)
    }

    /// Coordinates x to the front, y to the left, z upwards.
    /// - Parameter hasDistance: false for spherical coordinates at distance 1.
    func vector(_ index: Int, hasDistance: Bool = true) -> SIMD3<Double> {
        let (x, y, z) = row(index)
        guard isSpherical else { return SIMD3(x, y, z) }
        let (azimuth, elevation) = (x * scale * .pi / 180, y * scale * .pi / 180)
        let unit = SIMD3(cos(elevation) * cos(azimuth), cos(elevation) * sin(azimuth), sin(elevation))
        return hasDistance ? z * unit : unit
    }
}

/// Ranges of numbers in SOFA files.
enum SofaRange {
    /// Value that netCDF gives to numbers that were never written.
    private static let unwritten: Float = 9.96921e36

    /// - Parameters:
    ///   - name: the number with its article.
    ///   - place: the place of a number in the file.
    /// - Throws: ``SofaRefusal`` naming the first number that is out of the range.
    static func check(
        _ values: [Float], _ name: String, _ range: ClosedRange<Float>, _ unit: String, place: (Int) -> String
    ) throws(SofaRefusal) {
        guard let index = values.firstIndex(where: { !range.contains($0) }) else { return }
        let (value, place) = (values[index], place(index))
        let text =
            "\(name) is \(value) \(unit)\(place.isEmpty ? "" : " (\(place))"), but must be \(range.lowerBound) to \(range.upperBound)"
        if abs(value / unwritten - 1) < 1e-4 { throw .damaged("\(text): it was never written") }
        throw value.isFinite ? .unusable(text, "Use another file.") : .damaged(text, "Use another file.")
    }
}
