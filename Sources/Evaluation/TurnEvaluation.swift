public import Binaural
internal import Glibc

/// Measures a method while the head turns, in one scene: against ears that really turn on the sphere.
///
/// The exact ear is the scene's Fourier series in the azimuth, evaluated at the ear's azimuth at every sample: no grid
/// of positions, no crossfade between them. The sound is late by the method's latency; the motion is not, so that a
/// pose that is heard late counts as an error. Frames of 1024 samples, Hann, every 512.
public struct TurnEvaluation: Sendable {
    private let plan: EvaluationPlan
    private let scene: StimulusScene
    private let fields: [CircularField]
    /// The same scene on the head that `personal` leads to.
    private let headFields: [CircularField]

    /// Frames before the measured ones.
    private static let settling = 8192

    /// The sphere at the lines that the turning head's stimulus needs.
    ///
    /// - Parameter radius: metres; nil for the array's.
    public static func series(_ plan: EvaluationPlan, radius: Double? = nil) -> SphereSeries {
        SphereSeries(
            Sphere(radius: radius ?? plan.radius), spacing: EarRenderer.rate / Double(plan.turnPeriod),
            lines: EvaluationPlan.lines(period: plan.turnPeriod))
    }

    /// - Parameter head: the head's series, if `personal` is to be measured.
    public init(_ plan: EvaluationPlan, _ scene: StimulusScene, _ series: SphereSeries, head: SphereSeries? = nil) {
        self.plan = plan
        self.scene = scene
        let range = EvaluationPlan.noise
        let lines = Int((range.lowerBound / series.spacing).rounded(.up))...Int(range.upperBound / series.spacing)
        func fields(_ series: SphereSeries) -> [CircularField] {
            (0..<plan.takes).map {
                scene.field(series, take: $0, period: plan.turnPeriod, range: lines, seed: plan.seed)
            }
        }
        self.fields = fields(series)
        headFields = head.map(fields) ?? []
    }

    /// - Parameters:
    ///   - microphones: how many the array has.
    ///   - latency: of the method, samples.
    /// - Returns: the figures for each speed.
    public func run(microphones count: Int, _ method: InterpolationMethod, latency: Int) -> [TurnFigures] {
        let array = plan.array(count)
        var sums = [TurnSums](repeating: TurnSums(), count: plan.speeds.count)
        let renderer = EarRenderer(array: array, method: method, bank: PersonalHead(plan).bank(array, method))
        for (field, ears) in zip(fields, method == .personal ? headFields : fields) {
            add(field, ears: ears, renderer, latency: latency, to: &sums)
        }
        return zip(plan.speeds, sums).map { speed, sums in
            TurnFigures(
                microphones: array.count, method: method, scene: scene.name, speed: speed,
                level: RegionStatistics(sums.erb, .erb), erb: sums.erb.map { ErrorStatistics($0) },
                modulation: sums.modulation, clicks: sums.clicks, exactClicks: sums.exactClicks)
        }
    }

    private func add(
        _ field: CircularField, ears: CircularField, _ renderer: EarRenderer, latency: Int, to sums: inout [TurnSums]
    ) {
        let array = renderer.array
        let frames = Self.settling + plan.turnPeriod
        let rendered = renderer.render(
            microphones: array.azimuthList.map { field.signal(azimuth: Double($0)) }, frames: frames,
            yaws: plan.speeds.map { speed in { frame in speed * Double(frame) / EarRenderer.rate } })
        let count = TurnFrames.count(plan.turnPeriod)
        for (index, speed) in plan.speeds.enumerated() {
            for (ear, side) in [90.0, -90].enumerated() {
                let azimuths = (0..<frames).map { side + speed * Double($0) / EarRenderer.rate }
                let exact = ears.signal(azimuths: azimuths, delay: latency)
                sums[index].add(
                    rendered: TurnFrames(rendered[2 * index + ear], from: Self.settling, count: count),
                    exact: TurnFrames(exact, from: Self.settling, count: count),
                    isNear: (0..<count).map {
                        let middle = Self.settling + $0 * TurnFrames.hop + TurnFrames.length / 2
                        return isNear(azimuths[middle], array, speed: speed)
                    })
            }
        }
    }

    /// Whether an ear is passing from one microphone to the next: from 10 ms before it is in the middle between
    /// both, to 20 ms after it is a degree past it, which is as far as hysteresis holds on to the old one.
    private func isNear(_ azimuth: Double, _ array: MicrophoneArray, speed: Double) -> Bool {
        let sector = 360 / Double(array.count)
        let past = remainder(azimuth - Double(array.azimuths[0]) - sector / 2, sector)
        return (-0.01 * speed...0.02 * speed + 1).contains(past)
    }
}
