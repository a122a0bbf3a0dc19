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

/// Directions of the sound source seen from the head of a SOFA file, in degrees.
struct SofaDirections {
    private(set) var azimuths: [Double] = []
    private(set) var elevations: [Double] = []

    /// Positions in the room are those relative to the head if it stands at the origin and looks to the front.
    init(_ tables: SofaTables, count: Int) throws(SofaRefusal) {
        func positions(_ name: String, type: String = "cartesian") throws(SofaRefusal) -> SofaPositions? {
            guard let variable = try tables.variable(name) else { return nil }
            return try SofaPositions(variable, name, type: type, directions: count)
        }
        guard let source = try positions("SourcePosition", type: "spherical") else {
            throw .unusable("its variable SourcePosition is missing")
        }
        let head = try positions("ListenerPosition")
        let view = try positions("ListenerView")
        // Some files give the coordinates' type for the view alone.
        let up = try positions("ListenerUp", type: tables.variables["ListenerView"]?.type ?? "cartesian")
        for index in 0..<count {
            let place = head?.vector(index) ?? .zero
            let axes = Axes(view: view?.vector(index), up: up?.vector(index))
            if place == .zero, axes.areDefault, source.isSpherical {
                let angles = source.angles(index)
                azimuths.append(angles.azimuth)
                elevations.append(angles.elevation)
                continue
            }
            let seen = axes.turned(source.vector(index, hasDistance: place != .zero) - place)
            let distance = hypot(hypot(seen.x, seen.y), seen.z)
            guard distance > 1e-6, distance.isFinite else {
                throw .unusable(
                    "the source of direction \(index + 1) is in the centre of the head, or at no finite distance", "Use another file.")
            }
            let azimuth = atan2(seen.y, seen.x) * 180 / .pi
            azimuths.append(azimuth < 0 ? azimuth + 360 : azimuth)
            elevations.append(atan2(seen.z, hypot(seen.x, seen.y)) * 180 / .pi)
        }
    }
}

/// The axes of a head: to the front, to the left and upwards.
private struct Axes {
    private let front: SIMD3<Double>
    private let left: SIMD3<Double>
    private let up: SIMD3<Double>
    let areDefault: Bool

    /// Vectors that give no orientation, such as parallel ones, count as the default.
    init(view: SIMD3<Double>?, up: SIMD3<Double>?) {
        let (x, z) = (SIMD3(1.0, 0, 0), SIMD3(0, 0, 1.0))
        guard let front = Self.unit(view ?? x) else {
            (self.front, left, self.up, areDefault) = (x, SIMD3(0, 1, 0), z, true)
            return
        }
        let upwards = [up ?? z, z].lazy.compactMap { up in Self.unit(up - (up * front).sum() * front) }.first
        guard let upwards, ((front - x) * (front - x)).sum() + ((upwards - z) * (upwards - z)).sum() > 1e-12 else {
            (self.front, left, self.up, areDefault) = (x, SIMD3(0, 1, 0), z, true)
            return
        }
        self.front = front
        self.up = upwards
        left = SIMD3(
            upwards.y * front.z - upwards.z * front.y, upwards.z * front.x - upwards.x * front.z, upwards.x * front.y - upwards.y * front.x)
        areDefault = false
    }

    private static func unit(_ vector: SIMD3<Double>) -> SIMD3<Double>? {
        let length = (vector * vector).sum().squareRoot()
        return length > 1e-6 && length.isFinite ? vector / length : nil
    }

    /// A vector of the room in the coordinates of the head.
    func turned(_ vector: SIMD3<Double>) -> SIMD3<Double> {
        areDefault ? vector : SIMD3((vector * front).sum(), (vector * left).sum(), (vector * up).sum())
    }
}

/// The receivers of a SOFA file as ears.
struct SofaEars {
    /// Distance from the median plane from which a receiver counts as an ear of that side, metres.
    private static let least = 1e-4
    /// True where the first receiver is at the right and the second at the left.
    let areSwapped: Bool
    /// True where the receivers are at both sides of the head.
    let areOpposite: Bool

    /// - Throws: ``SofaRefusal`` if the positions cannot be read. Without positions the left ear is the first.
    init(_ tables: SofaTables) throws(SofaRefusal) {
        guard let variable = try tables.variable("ReceiverPosition"), variable.sizes.prefix(2) == [2, 3],
            !variable.values.isEmpty, variable.values.allSatisfy(\.isFinite)
        else {
            (areSwapped, areOpposite) = (false, false)
            return
        }
        // Receivers, coordinates, and in some files directions, of which the first is taken.
        let step = variable.values.count / 6
        var first = variable
        (first.sizes, first.values) = ([2, 3], (0..<6).map { variable.values[$0 * step] })
        let ears = try SofaPositions(first, "ReceiverPosition", type: "cartesian", directions: 2)
        let (left, right) = (ears.vector(0).y, ears.vector(1).y)
        areSwapped = left < -Self.least && right > Self.least
        areOpposite = areSwapped || left > Self.least && right < -Self.least
    }
}
