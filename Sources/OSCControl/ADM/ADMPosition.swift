internal import Glibc

/// Where an object is, in ADM-OSC's Cartesian words: x to the right, y to the front, z up; 1 is the unit distance.
///
/// ADM-OSC v1.0, "Coordinates". Its polar azimuth is positive to the left, as the house's is, so x and azimuth have opposite
/// signs. Converted on the sphere, as ITU-R BS.2127-0 section 6.8 does, and not by the warped cube of its section 10.1.
struct ADMPosition: Equatable {
    var x: Double
    var y: Double
    var z: Double

    /// What sines and cosines of degrees leave of a zero.
    private static let nothing = 1e-7

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
        func clean(_ share: Double) -> Double { abs(share) < Self.nothing ? 0 : share * distance }
        x = clean(-cos(e) * sin(a))
        y = clean(cos(e) * cos(a))
        z = clean(sin(e))
    }

    /// In unit distances; up to the square root of 3 in a corner of the cube.
    var distance: Double { (x * x + y * y + z * z).squareRoot() }

    /// Degrees from -180 (excluded) to 180; nil straight above, below and at the origin, where every azimuth is as good.
    var azimuth: Float? {
        // 0 - x and not -x: a negative zero would turn straight back into -180.
        hypot(x, y) < Self.nothing ? nil : Float(atan2(0 - x, y) * 180 / .pi)
    }

    /// Degrees; nil at the origin.
    var elevation: Float? {
        distance < Self.nothing ? nil : Float(atan2(z, hypot(x, y)) * 180 / .pi)
    }

    /// Within the cube from -1 to 1, in the same direction.
    var inCube: ADMPosition {
        let most = max(abs(x), abs(y), abs(z), 1)
        return ADMPosition(x: x / most, y: y / most, z: z / most)
    }
}
