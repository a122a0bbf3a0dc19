public import Binaural
internal import Glibc

/// Measurement of a method with a turning head in one scene, against exact moving ears on the sphere.
///
/// The exact ear is the scene's Fourier series in the azimuth, evaluated at the ear's azimuth at every sample, without
/// a grid of positions or crossfades. Its sound is delayed by the method's latency, its motion is not, so that a late
/// pose counts as an error. Hann frames of 1024 samples every 512.
public struct TurnEvaluation: Sendable {
    private let plan: EvaluationPlan
    private let scene: StimulusScene
    private let fields: [CircularField]
    /// Field of the scene on the head that `hrtf` reproduces.
    private let headFields: [CircularField]

    /// Settling time before the measurement in frames.
    private static let settling = 8192

    /// Returns the sphere's series at the lines of the turning head's stimulus.
    ///
    /// - Parameter radius: radius in metres; nil for the array's.
    public static func series(_ plan: EvaluationPlan, radius: Double? = nil) -> SphereSeries {
        SphereSeries(
            Sphere(radius: radius ?? plan.radius), spacing: EarRenderer.rate / Double(plan.turnPeriod),
            lines: EvaluationPlan.lines(period: plan.turnPeriod))
    }

    /// - Parameter head: series of the head, required to measure `hrtf`.
    public init(_ plan: EvaluationPlan, _ scene: StimulusScene, _ series: SphereSeries, head: SphereSeries? = nil) {
        self.plan = plan
        self.scene = scene
        let range = EvaluationPlan.noise
        let lines = Int(clamping: (range.lowerBound / series.spacing).rounded(.up))...Int(clamping: range.upperBound / series.spacing)
        func fields(_ series: SphereSeries) -> [CircularField] {
            (0..<plan.takes).map {
                scene.field(series, take: $0, period: plan.turnPeriod, range: lines, seed: plan.seed)
            }
        }
        self.fields = fields(series)
        headFields = head.map(fields) ?? []
    }

    /// - Parameters:
    ///   - microphones: number of microphones.
    ///   - latency: latency of the method, samples.
    /// - Returns: figures for each speed.
    public func run(microphones count: Int, _ method: InterpolationMethod, latency: Int) -> [TurnFigures] {
        let array = plan.array(count)
        var sums = [TurnSums](repeating: TurnSums(), count: plan.speeds.count)
        let renderer = EarRenderer(array: array, method: method, bank: HRTFHead(plan).bank(array, method))
        for (field, ears) in zip(fields, method == .hrtf ? headFields : fields) {
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

    /// Whether an ear is crossing from one microphone to the next: from 10 ms before it reaches the midpoint to 20 ms
    /// after it is a degree past it, the limit of the hysteresis.
    private func isNear(_ azimuth: Double, _ array: MicrophoneArray, speed: Double) -> Bool {
        let sector = 360 / Double(array.count)
        let past = remainder(azimuth - Double(array.azimuths[0]) - sector / 2, sector)
        return (-0.01 * speed...0.02 * speed + 1).contains(past)
    }
}
