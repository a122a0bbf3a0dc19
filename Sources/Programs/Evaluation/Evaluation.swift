internal import Binaural
internal import CRealtime
internal import Glibc
internal import Synchronization
internal import Threads

/// All measurements of a plan.
public struct Evaluation: Sendable {
    public let plan: EvaluationPlan
    /// Results at rest by number of microphones, then by method, in the plan's order.
    public let statics: [StaticFigures]
    /// Results with imperfect microphones, in the same order.
    public let sensors: [SensorFigures]
    /// Results of tilted heads, in the same order, then by tilt.
    public let tilts: [TiltFigures]
    /// Results of the turning head by scene, number of microphones, method and speed.
    public let turns: [TurnFigures]

    /// Results of sound objects through the array, by number of microphones, then by method; none unless the plan asks for them.
    public let objects: [ObjectFigures]

    /// Runs all measurements; the same plan gives the same figures.
    /// - Parameter progress: called with the completed share, 0 to 1, on any thread but never concurrently.
    public init(_ plan: EvaluationPlan, progress: @escaping @Sendable (Double) -> Void = { _ in }) {
        let combinations = Self.combinations(plan, plan.microphones)
        let turning = Self.combinations(plan, plan.turnMicrophones ?? plan.microphones)
        let encoding = plan.measuresObjects ? combinations.filter { ObjectEvaluation.methods(plan).contains($0.method) } : []
        let total = Double(3 * combinations.count + encoding.count + plan.scenes.count * turning.count)
        let finished = Atomic(0)
        @Sendable func done() {
            progress(Double(finished.add(1, ordering: .relaxed).newValue) / total)
        }
        let still = StaticEvaluation(plan)
        let statics = Parallel.map(combinations.count, done: done) {
            still.run(microphones: combinations[$0].microphones, combinations[$0].method)
        }
        let imperfect = SensorEvaluation(plan)
        sensors = Parallel.map(combinations.count, done: done) {
            imperfect.run(microphones: combinations[$0].microphones, combinations[$0].method)
        }
        let tilted = TiltEvaluation(plan)
        tilts = Parallel.map(combinations.count, done: done) {
            tilted.run(microphones: combinations[$0].microphones, combinations[$0].method)
        }.flatMap(\.self)
        let encoded = encoding.isEmpty ? nil : ObjectEvaluation(plan)
        objects = Parallel.map(encoding.count, done: done) {
            encoded!.run(microphones: encoding[$0].microphones, encoding[$0].method)
        }
        let series = TurnEvaluation.series(plan)
        let head = plan.methods.contains(.hrtf) ? TurnEvaluation.series(plan, radius: plan.headRadius) : nil
        turns = plan.scenes.flatMap { scene in
            let turn = TurnEvaluation(plan, scene, series, head: head)
            let figures = Parallel.map(turning.count, done: done) { index in
                let (microphones, method) = turning[index]
                let latency = statics.first { $0.microphones == microphones && $0.method == method }?.latency ?? 0
                return turn.run(microphones: microphones, method, latency: latency)
            }
            return figures.flatMap(\.self)
        }
        self.plan = plan
        self.statics = statics
    }

    private static func combinations(
        _ plan: EvaluationPlan, _ microphones: [Int]
    ) -> [(microphones: Int, method: InterpolationMethod)] {
        microphones.flatMap { count in plan.methods.map { (count, $0) } }
    }
}

/// Independent work items on all cores. Results do not depend on the number of cores.
enum Parallel {
    /// Returns the results of `work` for 0 to `count` - 1, in this order.
    /// - Parameter done: called after each item, on any thread but never concurrently.
    static func map<Result: Sendable>(
        _ count: Int, done: @Sendable () -> Void, work: @Sendable (Int) -> Result
    ) -> [Result] {
        let results = Mutex([Result?](repeating: nil, count: count))
        perform(count) { index in
            let result = work(index)
            results.withLock {
                $0[index] = result
                done()
            }
        }
        return results.withLock { $0.map { $0! } }
    }

    /// Carries out `work` for 0 to `count` - 1, in any order. Denormals are flushed as in the renderer, so that results do not depend on
    /// the thread.
    static func perform(_ count: Int, work: @Sendable (Int) -> Void) {
        let next = Counter()
        WorkerThreads.run(min(count, sysconf(Int32(_SC_NPROCESSORS_ONLN))), name: "evaluation") {
            realtime_flush_denormals()
            while let index = next.take(below: count) { work(index) }
        }
    }

    private final class Counter: Sendable {
        private let next = Atomic(0)

        func take(below end: Int) -> Int? {
            let index = next.wrappingAdd(1, ordering: .relaxed).oldValue
            return index < end ? index : nil
        }
    }
}
