internal import Glibc

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
