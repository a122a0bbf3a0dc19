/// A continuing head motion: rotation vectors in the axes of the initial pose, in radians and seconds.
struct MotionEstimate: Sendable {
    var offset = SIMD3<Double>.zero
    var velocity = SIMD3<Double>.zero
    var acceleration = SIMD3<Double>.zero

    /// Returns the rotation vector after a number of seconds.
    func turn(_ seconds: Double) -> SIMD3<Double> {
        offset + (velocity + acceleration * (seconds / 2)) * seconds
    }

    static func * (estimate: MotionEstimate, share: Double) -> MotionEstimate {
        MotionEstimate(offset: estimate.offset * share, velocity: estimate.velocity * share, acceleration: estimate.acceleration * share)
    }

    static func += (sum: inout MotionEstimate, estimate: MotionEstimate) {
        sum.offset += estimate.offset
        sum.velocity += estimate.velocity
        sum.acceleration += estimate.acceleration
    }
}
