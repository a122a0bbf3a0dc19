internal import DSP
internal import Glibc
public import RenderInterface

/// Predicts head motion from past poses, weighted by the recent accuracy of the prediction.
///
/// Five predictors observe the same poses: one assumes that the head stays, three are filters of different memory, and one
/// is a learnt combination of two of the filters. Each is rated by its error over the renderer's actual prediction
/// horizon during the last fraction of a second, and the ratings weight their mix (Littlestone and Warmuth,
/// The Weighted Majority Algorithm, 1994; for heads, Azuma and Bishop, A Frequency-Domain Analysis of Head-Motion
/// Prediction, SIGGRAPH 1995). A motion that none of them predicts is therefore held.
///
/// Processing a pose takes about 2 microseconds. Used by one thread at a time.
public struct HeadPredictor: Sendable {
    /// Filter memories in seconds: a short one follows turns, a long one suppresses jitter.
    private static let memoryTimes = [0.008, 0.02, 0.05]
    private static let predictorCount = memoryTimes.count + 2
    /// Time constant of the error ratings in seconds.
    private static let errorMemory = 0.2
    /// Inaudible error in radians, added to all errors.
    private static let errorFloor = 0.0005
    /// Exponent of the weights; higher values prefer the best predictor more strongly.
    private static let weightExponent = 6.0
    /// Seconds without a pose after which the predictor is reset.
    private static let longestGap = 0.25
    /// Radians per second beyond the fastest heads: 780 degrees per second were measured (Grossman et al. 1988).
    private static let maximumSpeed = 1500 * Double.pi / 180
    /// Radians allowed between two poses regardless of the time between them.
    private static let jumpTolerance = 0.1
    /// Number of past poses kept, at most one per millisecond.
    private static let maximumPast = 256

    private struct Past {
        var time = 0.0
        var pose = SIMD4<Double>(1, 0, 0, 0)
        var estimates: InlineArray<5, MotionEstimate> = .init(repeating: MotionEstimate())
    }

    private var filters = memoryTimes.map { FadingFilter(memory: $0) }
    private var learner = EstimateLearner()
    private var errors: InlineArray<5, Double> = .init(repeating: 0)
    /// Ring buffer; the newest entry has the index `count - 1`.
    private var past = [Past](repeating: Past(), count: maximumPast)
    private var count = 0
    /// Index of the last entry that was rated.
    private var evaluated = 0
    private var first: UInt64 = 0
    private var last = 0.0
    private var pose = SIMD4<Double>(1, 0, 0, 0)
    /// Mean seconds between poses.
    private var interval = 0.01

    public init() {}

    /// Processes the next pose.
    ///
    /// - Parameters:
    ///   - quaternion: of length 1.
    ///   - time: time of the pose, CLOCK_MONOTONIC nanoseconds, above 0.
    ///   - ahead: the renderer's prediction horizon in seconds.
    /// - Returns: the predicted trajectory; empty at the start, after a jump and after a pause.
    public mutating func take(_ quaternion: SIMD4<Float>, time: UInt64, ahead: Double) -> PoseTrajectory {
        let new = SIMD4<Double>(quaternion)
        if first == 0 { first = time }
        let now = Double(Int64(bitPattern: time &- first)) / 1e9
        let passed = now - last
        let isJump = Rotation.length(Rotation.from(pose, to: new)) > Self.jumpTolerance + Self.maximumSpeed * max(passed, 0)
        guard count > 0, passed < Self.longestGap, passed > -Self.longestGap, !isJump else {
            begin(new, now)
            return trajectory(MotionEstimate(), time, ahead)
        }
        // Poses delivered together by the network do not indicate a faster motion.
        let step = max(passed, interval / 4, 1e-4)
        interval = Smoother.next(interval, to: passed, share: 0.1)
        (pose, last) = (new, max(now, last))
        for i in filters.indices { filters[i].take(new, after: step) }
        updateErrors(new, last, ahead, step)
        let estimates = predictions(new)
        remember(estimates)
        return trajectory(mix(estimates), time, ahead)
    }

    private mutating func begin(_ new: SIMD4<Double>, _ now: Double) {
        for i in filters.indices { filters[i].begin(new) }
        (pose, last, count, evaluated) = (new, now, 0, 0)
        errors = .init(repeating: 0)
        remember(.init(repeating: MotionEstimate()))
    }

    /// Returns the prediction of each predictor.
    private func predictions(_ pose: SIMD4<Double>) -> InlineArray<5, MotionEstimate> {
        let (a, b, c) = (filters[0].estimate(from: pose), filters[1].estimate(from: pose), filters[2].estimate(from: pose))
        var slow = c
        slow.acceleration = .zero
        return [MotionEstimate(), a, b, slow, learner.estimate(a, b)]
    }

    /// Compares the head's pose with the predictions made `ahead` seconds earlier.
    private mutating func updateErrors(_ pose: SIMD4<Double>, _ now: Double, _ ahead: Double, _ step: Double) {
        evaluated = max(evaluated, count - Self.maximumPast)
        while evaluated + 1 < count, past[(evaluated + 1) % Self.maximumPast].time <= now - ahead { evaluated += 1 }
        let then = past[evaluated % Self.maximumPast]
        guard then.time <= now - ahead else { return }
        let seconds = now - then.time
        let real = Rotation.from(then.pose, to: pose)
        let share = 1 - exp(-step / Self.errorMemory)
        for i in 0..<Self.predictorCount {
            let error = Rotation.length(real - then.estimates[i].turn(seconds))
            errors[i] = Smoother.next(errors[i], to: error, share: share)
        }
        learner.learn(then.estimates[1], then.estimates[2], seconds: seconds, real: real, passed: step)
    }

    private mutating func remember(_ estimates: InlineArray<5, MotionEstimate>) {
        if count > 1, last - past[(count - 2) % Self.maximumPast].time < 0.001 { count -= 1 }
        past[count % Self.maximumPast] = Past(time: last, pose: pose, estimates: estimates)
        count += 1
    }

    private func mix(_ estimates: InlineArray<5, MotionEstimate>) -> MotionEstimate {
        var (sum, total) = (MotionEstimate(), 0.0)
        var least = errors[0]
        for i in 1..<Self.predictorCount { least = min(least, errors[i]) }
        for i in 0..<Self.predictorCount {
            let weight = pow((least + Self.errorFloor) / (errors[i] + Self.errorFloor), Self.weightExponent)
            sum += estimates[i] * weight
            total += weight
        }
        return sum * (1 / total)
    }

    private func trajectory(_ estimate: MotionEstimate, _ time: UInt64, _ ahead: Double) -> PoseTrajectory {
        PoseTrajectory(
            time: time, validity: Float(ahead + max(0.03, 3 * interval)), offset: SIMD3<Float>(estimate.offset),
            velocity: SIMD3<Float>(estimate.velocity), acceleration: SIMD3<Float>(estimate.acceleration))
    }
}
