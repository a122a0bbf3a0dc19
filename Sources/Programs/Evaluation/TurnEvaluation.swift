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

/// Errors of a method for a turning head, against the exact moving ears.
public struct TurnFigures: Sendable {
    public let microphones: Int
    public let method: InterpolationMethod
    public let scene: String
    /// Speed in degrees per second.
    public let speed: Double
    /// Level error over ERB bands and short frames, dB.
    public let level: RegionStatistics
    /// Level error over short frames in each ERB band, dB.
    public let erb: [ErrorStatistics]
    /// Change of the level error from one frame to the next, root mean square over ERB bands, dB: near a
    /// sector's border, and away from all of them.
    public let modulation: Borders
    /// Energy above 18 kHz, where the stimulus has none, relative to the exact ears' energy, dB.
    public let clicks: Borders
    /// The same figure for the exact ears.
    public let exactClicks: Borders

    /// A figure near sector borders and away from them.
    public struct Borders: Sendable {
        public let near: Double
        /// NaN when the whole turn is near a border.
        public let away: Double
    }
}

/// Accumulated errors of both ears over one turn.
struct TurnSums {
    /// Level errors in dB by ERB band.
    private(set) var erb = [[Float]](repeating: [], count: FrequencyBands.erb.count)
    /// Sums near sector borders and away from them.
    private var parts = [Part](repeating: Part(), count: 2)

    private struct Part {
        var changes = 0.0
        var count = 0
        var clicks = 0.0
        var exactClicks = 0.0
        var total = 0.0
    }

    /// - Parameter isNear: whether the ear is near a border, for each frame.
    mutating func add(rendered: TurnFrames, exact: TurnFrames, isNear: [Bool]) {
        var before: [Double]?
        for frame in isNear.indices {
            let errors = zip(rendered.bands[frame], exact.bands[frame]).map { 10 * log10($0 / $1) }
            let part = isNear[frame] ? 0 : 1
            for (band, error) in errors.enumerated() { erb[band].append(Float(error)) }
            if let before {
                for (error, earlier) in zip(errors, before) {
                    parts[part].changes += (error - earlier) * (error - earlier)
                    parts[part].count += 1
                }
            }
            before = errors
            parts[part].clicks += rendered.clicks[frame]
            parts[part].exactClicks += exact.clicks[frame]
            parts[part].total += exact.total[frame]
        }
    }

    var modulation: TurnFigures.Borders { borders { ($0.changes / Double($0.count)).squareRoot() } }
    var clicks: TurnFigures.Borders { borders { 10 * log10($0.clicks / $0.total) } }
    var exactClicks: TurnFigures.Borders { borders { 10 * log10($0.exactClicks / $0.total) } }

    private func borders(_ figure: (Part) -> Double) -> TurnFigures.Borders {
        .init(near: figure(parts[0]), away: figure(parts[1]))
    }
}

/// Powers of short frames of a signal, in bands and above the range of the stimulus.
struct TurnFrames {
    /// Powers in ERB bands, frame by frame.
    let bands: [[Double]]
    /// Power from 18 kHz up, frame by frame.
    let clicks: [Double]
    /// All frames in order.
    let total: [Double]

    /// Length of a frame in samples.
    static let length = 1024
    /// Samples from one frame to the next.
    static let hop = 512
    /// Lower limit of the click band in Hz: a Hann window's sidelobes of the stimulus have decayed by 100 dB there.
    static let clickFrequency = 18_000.0

    static func count(_ samples: Int) -> Int { (samples - length) / hop + 1 }

    /// - Parameter first: place in `signal` at which the first frame begins.
    init(_ signal: [Float], from first: Int, count: Int) {
        let spacing = EarRenderer.rate / Double(Self.length)
        let powers = BandPowers(.erb, spacing: spacing)
        let transform = PeriodicTransform(period: Self.length)
        let window = (0..<Self.length).map { Float(0.5 - 0.5 * cos(2 * .pi * Double($0) / Double(Self.length))) }
        let edge = Int(clamping: Self.clickFrequency / spacing)
        var (bands, clicks, total) = ([[Double]](), [Double](), [Double]())
        for frame in 0..<count {
            let power = transform.lines(
                of: signal, from: first + frame * Self.hop, window: window, count: Self.length / 2 + 1
            ).powers
            bands.append(powers.sums(power))
            clicks.append(power[edge...].reduce(0) { $0 + Double($1) })
            total.append(power.reduce(0) { $0 + Double($1) })
        }
        (self.bands, self.clicks, self.total) = (bands, clicks, total)
    }
}
