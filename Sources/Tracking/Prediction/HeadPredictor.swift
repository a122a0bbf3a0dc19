public import Crossing
internal import Glibc

/// Predicts where a head goes, from its poses, and never believes itself more than it deserves.
///
/// Five foretellers watch the same poses: one that says the head stays, three filters of different memory, and what
/// was learnt of how two of those filters err. Each is judged by how far off it was over the horizon that the renderer
/// really looks ahead, over the last fraction of a second, and they are mixed by that (Littlestone and Warmuth,
/// The Weighted Majority Algorithm, 1994; for heads, Azuma and Bishop, A Frequency-Domain Analysis of Head-Motion
/// Prediction, SIGGRAPH 1995). A head that moves like none of them is therefore held.
///
/// A pose costs some 2 microseconds. Used by one thread at a time.
public struct HeadPredictor: Sendable {
    /// Seconds: what is quicker follows turns, what is slower is deaf to jitter.
    private static let memories = [0.008, 0.02, 0.05]
    private static let tellers = memories.count + 2
    /// Seconds over which errors are judged.
    private static let judgement = 0.2
    /// Radians of error that nobody hears.
    private static let negligible = 0.0005
    /// How sharply the better is preferred to the worse.
    private static let preference = 6.0
    /// Seconds without a pose after which everything begins anew.
    private static let longestGap = 0.25
    /// Radians per second that no head reaches: 780 degrees per second were measured (Grossman et al. 1988).
    private static let fastest = 1500 * Double.pi / 180
    /// Radians that a pose may be off whatever the time between them.
    private static let freeway = 0.1
    /// Poses that are remembered, at most one a millisecond.
    private static let mostPast = 256

    private struct Past {
        var time = 0.0
        var pose = SIMD4<Double>(1, 0, 0, 0)
        var ways: InlineArray<5, HeadWay> = .init(repeating: HeadWay())
    }

    private var filters = memories.map { FadingFilter(memory: $0) }
    private var learner = WayLearner()
    private var errors: InlineArray<5, Double> = .init(repeating: 0)
    /// A ring; the newest is at `count - 1`.
    private var past = [Past](repeating: Past(), count: mostPast)
    private var count = 0
    /// Of the entry that was last compared.
    private var judged = 0
    private var first: UInt64 = 0
    private var last = 0.0
    private var pose = SIMD4<Double>(1, 0, 0, 0)
    /// Mean seconds between poses.
    private var interval = 0.01

    public init() {}

    /// Takes the next pose.
    ///
    /// - Parameters:
    ///   - quaternion: of length 1.
    ///   - time: when the head was there, CLOCK_MONOTONIC nanoseconds, above 0.
    ///   - ahead: seconds that the renderer looks ahead.
    /// - Returns: where the head goes from here; nowhere after a jump, a pause, and to begin with.
    public mutating func take(_ quaternion: SIMD4<Float>, time: UInt64, ahead: Double) -> PoseCourse {
        let new = SIMD4<Double>(quaternion)
        if first == 0 { first = time }
        let now = Double(Int64(bitPattern: time &- first)) / 1e9
        let passed = now - last
        let isJump = Rotation.length(Rotation.from(pose, to: new)) > Self.freeway + Self.fastest * max(passed, 0)
        guard count > 0, passed < Self.longestGap, passed > -Self.longestGap, !isJump else {
            begin(new, now)
            return course(HeadWay(), time, ahead)
        }
        // Poses that a network has delivered together are no faster motion.
        let step = max(passed, interval / 4, 1e-4)
        interval += (passed - interval) * 0.1
        (pose, last) = (new, max(now, last))
        for i in filters.indices { filters[i].take(new, after: step) }
        judge(new, last, ahead, step)
        let ways = tell(new)
        remember(ways)
        return course(mix(ways), time, ahead)
    }

    private mutating func begin(_ new: SIMD4<Double>, _ now: Double) {
        for i in filters.indices { filters[i].begin(new) }
        (pose, last, count, judged) = (new, now, 0, 0)
        errors = .init(repeating: 0)
        remember(.init(repeating: HeadWay()))
    }

    /// What each foreteller says.
    private func tell(_ pose: SIMD4<Double>) -> InlineArray<5, HeadWay> {
        let (a, b, c) = (filters[0].way(from: pose), filters[1].way(from: pose), filters[2].way(from: pose))
        var slow = c
        slow.acceleration = .zero
        return [HeadWay(), a, b, slow, learner.way(a, b)]
    }

    /// Compares where the head is with what was said of it `ahead` ago.
    private mutating func judge(_ pose: SIMD4<Double>, _ now: Double, _ ahead: Double, _ step: Double) {
        judged = max(judged, count - Self.mostPast)
        while judged + 1 < count, past[(judged + 1) % Self.mostPast].time <= now - ahead { judged += 1 }
        let then = past[judged % Self.mostPast]
        guard then.time <= now - ahead else { return }
        let seconds = now - then.time
        let real = Rotation.from(then.pose, to: pose)
        let share = 1 - exp(-step / Self.judgement)
        for i in 0..<Self.tellers {
            let error = Rotation.length(real - then.ways[i].turn(seconds))
            errors[i] += (error - errors[i]) * share
        }
        learner.learn(then.ways[1], then.ways[2], seconds: seconds, real: real, passed: step)
    }

    private mutating func remember(_ ways: InlineArray<5, HeadWay>) {
        if count > 1, last - past[(count - 2) % Self.mostPast].time < 0.001 { count -= 1 }
        past[count % Self.mostPast] = Past(time: last, pose: pose, ways: ways)
        count += 1
    }

    private func mix(_ ways: InlineArray<5, HeadWay>) -> HeadWay {
        var (sum, total) = (HeadWay(), 0.0)
        var least = errors[0]
        for i in 1..<Self.tellers { least = min(least, errors[i]) }
        for i in 0..<Self.tellers {
            let weight = pow((least + Self.negligible) / (errors[i] + Self.negligible), Self.preference)
            sum += ways[i] * weight
            total += weight
        }
        return sum * (1 / total)
    }

    private func course(_ way: HeadWay, _ time: UInt64, _ ahead: Double) -> PoseCourse {
        PoseCourse(
            time: time, patience: Float(ahead + max(0.03, 3 * interval)), offset: SIMD3<Float>(way.offset),
            velocity: SIMD3<Float>(way.velocity), acceleration: SIMD3<Float>(way.acceleration))
    }
}
