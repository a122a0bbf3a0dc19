internal import Glibc

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
