/// A continuing head motion: rotation vectors in the axes of the initial pose, in radians and seconds.
struct HeadWay: Sendable {
    var offset = SIMD3<Double>.zero
    var velocity = SIMD3<Double>.zero
    var acceleration = SIMD3<Double>.zero

    /// Returns the rotation vector after a number of seconds.
    func turn(_ seconds: Double) -> SIMD3<Double> {
        offset + (velocity + acceleration * (seconds / 2)) * seconds
    }

    static func * (way: HeadWay, share: Double) -> HeadWay {
        HeadWay(offset: way.offset * share, velocity: way.velocity * share, acceleration: way.acceleration * share)
    }

    static func += (sum: inout HeadWay, way: HeadWay) {
        sum.offset += way.offset
        sum.velocity += way.velocity
        sum.acceleration += way.acceleration
    }
}
