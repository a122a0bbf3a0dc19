internal import Glibc
internal import Parameters

/// Position of an object, both as parameter values and in ADM-OSC's Cartesian coordinates.
///
/// A Cartesian position is kept as received, although the distance parameter has a minimum, so that x, y and z
/// received one by one give the same position as all three in one message.
struct ADMPlace: Equatable {
    /// Azimuth in degrees, positive to the left.
    private(set) var azimuth: Float
    /// Elevation in degrees, positive up.
    private(set) var elevation: Float
    /// Metres.
    private(set) var distance: Float
    private(set) var position: ADMPosition
    /// Metres.
    private let unit: Float
    /// Range of the distance parameter in metres.
    private let distances: ClosedRange<Float>

    /// - Parameters:
    ///   - unit: metres of a distance of 1, above 0.
    ///   - distances: range of the distance in metres.
    init(azimuth: Float, elevation: Float, distance: Float, unit: Float, distances: ClosedRange<Float>) {
        self.azimuth = azimuth
        self.elevation = elevation
        self.distance = distance
        self.unit = unit
        self.distances = distances
        position = ADMPosition(azimuth: azimuth, elevation: elevation, distance: Double(distance) / Double(unit))
    }

    /// Distance in unit distances; above 1 beyond ADM-OSC's range.
    var share: Float { distance / unit }

    /// Returns whether the parameter values are the same.
    func agrees(with other: ADMPlace) -> Bool {
        azimuth == other.azimuth && elevation == other.elevation && distance == other.distance && unit == other.unit
    }

    /// Moves to polar coordinates; nil leaves a coordinate unchanged.
    ///
    /// - Parameters:
    ///   - azimuth, elevation: degrees.
    ///   - share: in unit distances.
    mutating func move(azimuth: Float? = nil, elevation: Float? = nil, share: Float? = nil) {
        self = ADMPlace(
            azimuth: azimuth ?? self.azimuth, elevation: elevation ?? self.elevation,
            distance: share.map(metres) ?? distance, unit: unit, distances: distances)
    }

    /// Moves to Cartesian coordinates. Where these leave the direction undefined, at the origin and straight above and below,
    /// it stays unchanged.
    mutating func move(to position: ADMPosition) {
        self.position = position
        azimuth = position.azimuth ?? azimuth
        elevation = position.elevation ?? elevation
        distance = metres(Float(position.distance))
    }

    /// Returns a distance in metres, clamped without a report because every value in ADM-OSC's range is valid.
    private func metres(_ share: Float) -> Float {
        min(max(share * unit, distances.lowerBound), distances.upperBound)
    }
}

/// Position of an object in ADM-OSC's Cartesian coordinates: x right, y front, z up, in unit distances.
///
/// ADM-OSC v1.0, "Coordinates". Its polar azimuth is positive to the left, as in Vestibule, so x and azimuth have opposite
/// signs. Converted on the sphere, as ITU-R BS.2127-0 section 6.8 does, and not by the warped cube of its section 10.1.
struct ADMPosition: Equatable {
    var x: Double
    var y: Double
    var z: Double

    /// Rounding error below which sines and cosines of degrees count as zero.
    private static let epsilon = 1e-7

    init(x: Double, y: Double, z: Double) {
        self.x = x
        self.y = y
        self.z = z
    }

    /// - Parameters:
    ///   - azimuth, elevation: degrees, positive to the left and up.
    ///   - distance: in unit distances.
    init(azimuth: Float, elevation: Float, distance: Double) {
        let (a, e) = (Double(azimuth) * .pi / 180, Double(elevation) * .pi / 180)
        func clean(_ share: Double) -> Double { abs(share) < Self.epsilon ? 0 : share * distance }
        x = clean(-cos(e) * sin(a))
        y = clean(cos(e) * cos(a))
        z = clean(sin(e))
    }

    /// Distance in unit distances; up to the square root of 3 in a corner of the cube.
    var distance: Double { (x * x + y * y + z * z).squareRoot() }

    /// Azimuth in degrees from -180 (excluded) to 180; nil where it is undefined: straight above, below and at the origin.
    var azimuth: Float? {
        // 0 - x instead of -x, because a negative zero would give -180 for straight back.
        hypot(x, y) < Self.epsilon ? nil : Float(atan2(0 - x, y) * 180 / .pi)
    }

    /// Elevation in degrees; nil at the origin.
    var elevation: Float? {
        distance < Self.epsilon ? nil : Float(atan2(z, hypot(x, y)) * 180 / .pi)
    }

    /// The nearest position in the same direction within the cube from -1 to 1.
    var inCube: ADMPosition {
        let most = max(abs(x), abs(y), abs(z), 1)
        return ADMPosition(x: x / most, y: y / most, z: z / most)
    }
}

/// Converts between ADM-OSC's gain, an unlimited factor from 0, and decibels, where the minimum is silence.
enum ADMGain {
    /// - Parameter spec: the gain parameter, in decibels.
    /// - Returns: decibels, no less than the minimum. The parameter itself limits the maximum.
    static func decibels(_ factor: Float, _ spec: ParameterSpec) -> Float {
        factor <= 0 ? spec.range.lowerBound : max(20 * log10f(factor), spec.range.lowerBound)
    }

    /// - Returns: the linear gain factor that is applied.
    static func factor(_ decibels: Float, _ spec: ParameterSpec) -> Float { spec.engineValue(decibels) }
}
