/// A turn that goes on: rotation vectors in the axes of the pose it begins with, radians and seconds.
struct HeadWay: Sendable {
    var offset = SIMD3<Double>.zero
    var velocity = SIMD3<Double>.zero
    var acceleration = SIMD3<Double>.zero

    /// Where it has led after so many seconds.
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
