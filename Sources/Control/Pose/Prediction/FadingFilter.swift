internal import Glibc

/// Estimates a head's orientation, velocity and acceleration from noisy poses, with exponentially fading memory.
///
/// Third-order fading-memory filter (Morrison, Introduction to Sequential Smoothing and Prediction, 1969;
/// Brookner, Tracking and Kalman Filtering Made Easy, 1998). The state is a quaternion, errors are rotation vectors in the
/// axes of the head.
struct FadingFilter: Sendable {
    /// Time constant in seconds.
    let memory: Double
    private(set) var orientation = SIMD4<Double>(1, 0, 0, 0)
    /// Radians per second in the head's axes, and per second squared.
    private(set) var velocity = SIMD3<Double>.zero
    private(set) var acceleration = SIMD3<Double>.zero

    init(memory: Double) { self.memory = memory }

    /// Resets the filter to a head at rest.
    mutating func begin(_ pose: SIMD4<Double>) {
        (orientation, velocity, acceleration) = (pose, .zero, .zero)
    }

    /// - Parameter seconds: time since the previous pose, above 0.
    mutating func take(_ pose: SIMD4<Double>, after seconds: Double) {
        let turn = velocity * seconds + acceleration * (seconds * seconds / 2)
        let expected = Rotation.product(orientation, Rotation.exponential(turn))
        velocity += acceleration * seconds
        let error = Rotation.from(expected, to: pose)
        let old = exp(-seconds / memory)
        let new = 1 - old
        let corrected = Rotation.product(expected, Rotation.exponential(error * (1 - old * old * old)))
        orientation = corrected / (corrected * corrected).sum().squareRoot()
        velocity += error * (1.5 * (1 - old * old) * new / seconds)
        acceleration += error * (new * new * new / (seconds * seconds))
    }

    /// Returns the motion from `pose` along this filter's estimate.
    func estimate(from pose: SIMD4<Double>) -> MotionEstimate {
        MotionEstimate(offset: Rotation.from(pose, to: orientation), velocity: velocity, acceleration: acceleration)
    }
}

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
