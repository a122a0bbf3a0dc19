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

/// Errors of sound objects that are encoded onto the microphone array and decoded by a method.
public struct ObjectFigures: Sendable {
    /// Errors against one reference.
    public struct Errors: Sendable {
        /// Level error over ERB bands, dB.
        public let level: RegionStatistics
        /// Error of the interaural time difference, microseconds.
        public let time: ErrorStatistics
    }

    public let microphones: Int
    public let method: InterpolationMethod
    /// The array against objects that are rendered for the listener.
    public let direct: Errors
    /// The array against the exact sphere.
    public let exact: Errors
    /// Objects that are rendered for the listener against the exact sphere.
    public let directExact: Errors
}

/// A sound object that is rendered in an evaluation, beside silent microphones.
struct EvaluatedObject {
    /// Looped sound.
    let sound: [Float]
    /// Degrees.
    let azimuth: Double
    let elevation: Double
    /// Whether it is encoded onto the microphone array instead of being rendered for the listeners.
    let isEncoded: Bool
}

extension Evaluation {
    /// Name of the CSV file about sound objects, which only plans that ask for them have.
    public static let objectsName = "objects.csv"

    private static func kinds(_ figures: ObjectFigures) -> [(name: String, errors: ObjectFigures.Errors)] {
        [("array-direct", figures.direct), ("array-exact", figures.exact), ("direct-exact", figures.directExact)]
    }

    var objectSummary: String {
        var table = CSVTable([
            "microphones", "method", "compared", "mean_db", "low_db", "middle_db", "high_db", "p95_db", "itd_mean_us", "itd_p95_us",
        ])
        let number = CSVTable.number
        for figures in objects {
            for (name, errors) in Self.kinds(figures) {
                let level = errors.level
                table.add(
                    "\(figures.microphones)", figures.method.name, name,
                    [level.all.mean, level.low.mean, level.middle.mean, level.high.mean, level.all.p95].map(number)
                        .joined(separator: ","), number(errors.time.mean), number(errors.time.p95))
            }
        }
        return table.text
    }

    /// Section of the report about sound objects; empty without their figures.
    var objectSection: String {
        guard !objects.isEmpty else { return "" }
        var table = ReportTable(
            "Objects that are encoded onto the array and decoded by the method (<code>array</code>), and objects that are rendered for the "
                + "listener (<code>direct</code>). Level: mean error over ERB bands and directions, dB; ITD: mean error, \u{00B5}s. Small "
                + "print: level below 1.5 kHz / 1.5 to 5 kHz / above 5 kHz; 95th percentile of the ITD.",
            header: ["Microphones, method"]
                + ["array against direct", "array against the sphere", "direct against the sphere"].flatMap { ["\($0): level", "ITD"] })
        for (index, figures) in objects.enumerated() {
            let begins = index == 0 || objects[index - 1].microphones != figures.microphones
            table.add(
                "\(figures.microphones) \(figures.method.name)", Self.kinds(figures).flatMap { Self.cells($0.errors) }, begins: begins)
        }
        return "<h2>Sound objects through the array</h2>\n\(table.html)"
    }

    private static func cells(_ errors: ObjectFigures.Errors) -> [ReportTable.Cell] {
        let regions = [errors.level.low, errors.level.middle, errors.level.high].map { ReportNumbers.level($0.mean) }
        return [
            .init(text: ReportNumbers.level(errors.level.all.mean), note: regions.joined(separator: " / ")),
            .init(text: ReportNumbers.whole(errors.time.mean), note: ReportNumbers.whole(errors.time.p95)),
        ]
    }
}
