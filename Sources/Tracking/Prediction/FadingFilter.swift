internal import Glibc

/// A head's orientation, speed and acceleration out of noisy poses: constant acceleration, past poses fading away.
///
/// The fading-memory filter of third order (Morrison, Introduction to Sequential Smoothing and Prediction, 1969;
/// Brookner, Tracking and Kalman Filtering Made Easy, 1998), its state a quaternion, its errors rotation vectors in the
/// axes of the head.
struct FadingFilter: Sendable {
    /// Seconds after which a pose counts a third.
    let memory: Double
    private(set) var orientation = SIMD4<Double>(1, 0, 0, 0)
    /// Radians per second in the head's axes, and per second squared.
    private(set) var velocity = SIMD3<Double>.zero
    private(set) var acceleration = SIMD3<Double>.zero

    init(memory: Double) { self.memory = memory }

    /// A head at rest.
    mutating func begin(_ pose: SIMD4<Double>) {
        (orientation, velocity, acceleration) = (pose, .zero, .zero)
    }

    /// - Parameter seconds: since the pose before, above 0.
    mutating func take(_ pose: SIMD4<Double>, after seconds: Double) {
        let way = velocity * seconds + acceleration * (seconds * seconds / 2)
        let expected = Rotation.product(orientation, Rotation.exponential(way))
        velocity += acceleration * seconds
        let error = Rotation.from(expected, to: pose)
        let old = exp(-seconds / memory)
        let new = 1 - old
        let corrected = Rotation.product(expected, Rotation.exponential(error * (1 - old * old * old)))
        orientation = corrected / (corrected * corrected).sum().squareRoot()
        velocity += error * (1.5 * (1 - old * old) * new / seconds)
        acceleration += error * (new * new * new / (seconds * seconds))
    }

    /// The turn that leads from `pose` to where this filter sees the head going.
    func way(from pose: SIMD4<Double>) -> HeadWay {
        HeadWay(offset: Rotation.from(pose, to: orientation), velocity: velocity, acceleration: acceleration)
    }
}
