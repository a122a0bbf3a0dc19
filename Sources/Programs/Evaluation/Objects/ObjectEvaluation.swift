public import Binaural
internal import Glibc

/// Measurement of sound objects through the array, `/object/N/renderer` `array`, beside the same objects rendered for the listener, for
/// directions all around, level with the ears, above and below.
public struct ObjectEvaluation: Sendable {
    private let grid: EvaluationGrid
    private var plan: EvaluationPlan { grid.plan }

    public init(_ plan: EvaluationPlan) {
        grid = EvaluationGrid(plan)
    }

    /// Methods of a plan that can be measured: those that need no filters of a listener.
    static func methods(_ plan: EvaluationPlan) -> [InterpolationMethod] { plan.methods.filter { $0 != .hrtf } }

    /// - Parameter count: number of microphones.
    public func run(microphones count: Int, _ method: InterpolationMethod) -> ObjectFigures {
        let array = plan.array(count)
        let renderer = EarRenderer(array: array, method: method)
        let sphere = grid.microphones(array)
        // A quarter of a sector: neither at a microphone nor between two.
        let yaw = 90.0 / Double(count)
        let around = (0..<plan.tiltSources).map { SIMD2(360 * Double($0) / Double(plan.tiltSources), 0) }
        let inclined = around.indices.filter { $0 % 3 == 0 }.map { SIMD2(around[$0].x, $0 % 2 == 0 ? 40 : -40) }
        var (direct, exact, directExact) = (Sums(), Sums(), Sums())
        for (source, direction) in (around + inclined).enumerated() {
            let noise = grid.noise(stream: 0x700000 + source)
            let sound = sphere.signal(noise)
            func heard(_ isEncoded: Bool) -> [LineSpectrum] {
                let object = EvaluatedObject(
                    sound: sound, azimuth: direction.x + yaw, elevation: direction.y, isEncoded: isEncoded)
                let ears = renderer.render(object, frames: CommonResponse.settling + plan.period, yaw: yaw)
                return ears.map { sphere.spectrum($0) }
            }
            let (array, plain) = (heard(true), heard(false))
            let ears = [90.0, -90].map { ear in
                let cosine = cos(direction.y * .pi / 180) * cos((direction.x - ear) * .pi / 180)
                return sphere.exact(noise, azimuth: 0, at: acos(max(-1, min(1, cosine))) * 180 / .pi)
            }
            direct.add(array, plain, grid)
            exact.add(array, ears, grid)
            directExact.add(plain, ears, grid)
        }
        return ObjectFigures(
            microphones: count, method: method, direct: direct.errors, exact: exact.errors, directExact: directExact.errors)
    }

    private struct Sums {
        private var times: [Float] = []
        private var levels = [[Float]](repeating: [], count: FrequencyBands.erb.count)

        init() {}

        mutating func add(_ heard: [LineSpectrum], _ wanted: [LineSpectrum], _ grid: EvaluationGrid) {
            times.append(Float(grid.time(heard) - grid.time(wanted)))
            for (heard, wanted) in zip(heard, wanted) {
                for (band, level) in grid.levels(heard, relativeTo: wanted).enumerated() { levels[band].append(level) }
            }
        }

        var errors: ObjectFigures.Errors { .init(level: RegionStatistics(levels, .erb), time: ErrorStatistics(times)) }
    }
}
