public import Binaural
internal import Glibc

/// Measurement of a method at rest, for many single sources and ear positions between microphones.
///
/// The stimulus is periodic noise with equal magnitudes of all lines. After one period of settling, the lines of the next
/// one give the exact transfer function of linear time-invariant methods; for methods based on short-time spectra they
/// are the response to this noise. Powers are summed in bands before comparison, so that both kinds are measured alike.
public struct StaticEvaluation: Sendable {
    private let grid: EvaluationGrid
    private var plan: EvaluationPlan { grid.plan }
    private let thirdOctaves: BandPowers
    /// Displacement of the exact ears in degrees: 0, or deliberately wrong in tests.
    private let displacement: Double

    public init(_ plan: EvaluationPlan, displacement: Double = 0) {
        grid = EvaluationGrid(plan)
        self.displacement = displacement
        thirdOctaves = BandPowers(.thirdOctaves, spacing: grid.spacing)
    }

    /// - Parameter microphones: number of microphones.
    public func run(microphones count: Int, _ method: InterpolationMethod) -> StaticFigures {
        let array = plan.array(count)
        let head = HRTFHead(plan)
        let bank = head.bank(array, method)
        let renderer = EarRenderer(array: array, method: method, bank: bank)
        let sphere = grid.microphones(array)
        // The exact ears are on the array's own sphere or on the head's.
        let ears = bank == nil ? sphere : grid.ears(array, head)
        let common =
            bank == nil
            ? CommonResponse(renderer, sphere, plan: plan)
            : CommonResponse(latency: method.latency(rate: Float(EarRenderer.rate)), plan: plan)
        let places = (0..<plan.positions).map { (Double($0) + 0.5) / Double(plan.positions) * 360 / Double(count) }
        let envelopes = EnvelopeDelay(period: plan.period, spacing: grid.spacing)
        var sums = StaticSums(lines: grid.series.lines)
        for source in 0..<plan.sources {
            let azimuth = 180 * Double(source) / Double(plan.sources)
            let noise = grid.noise(stream: source)
            let rendered = renderer.render(
                microphones: sphere.signals(noise, azimuth: azimuth), frames: CommonResponse.settling + plan.period,
                yaws: places.map { place in { _ in place - 90 } })
            for (index, place) in places.enumerated() {
                let pair = (0..<2).map { ear in
                    EarMeasurement(
                        rendered: sphere.spectrum(rendered[2 * index + ear]).timesConjugate(common.phase),
                        exact: ears.exact(noise, azimuth: azimuth, at: place - 180 * Double(ear) + displacement),
                        erb: grid.erb, thirdOctaves: thirdOctaves)
                }
                sums.add(left: pair[0], right: pair[1], spacing: grid.spacing, envelopes: envelopes)
            }
        }
        return StaticFigures(
            microphones: count, method: method, latency: common.latency, level: RegionStatistics(sums.erb, .erb),
            erb: sums.erb.map { ErrorStatistics($0) }, thirdOctaves: sums.thirdOctaves.map { ErrorStatistics($0) },
            complexError: zip(grid.erb.sums(sums.difference), grid.erb.sums(sums.power)).map { 10 * log10($0 / $1) },
            firstComplexError: sums.firstComplexError(above: -20, spacing: grid.spacing), time: ErrorStatistics(sums.times),
            envelopeTime: ErrorStatistics(sums.envelopeTimes),
            interauralLevel: ErrorStatistics(sums.levels))
    }
}

/// Errors of a method for an ear at rest.
public struct StaticFigures: Sendable {
    public let microphones: Int
    public let method: InterpolationMethod
    /// Latency in samples.
    public let latency: Int
    /// Level error over ERB bands, dB.
    public let level: RegionStatistics
    /// Level error in each ERB band, dB.
    public let erb: [ErrorStatistics]
    /// Level error in each third octave, dB.
    public let thirdOctaves: [ErrorStatistics]
    /// Difference to the exact ear in each ERB band, dB below the exact ear.
    public let complexError: [Double]
    /// Lowest frequency in Hz at which that difference exceeds -20 dB; nil when it never does.
    public let firstComplexError: Double?
    /// Error of the interaural time difference in microseconds.
    public let time: ErrorStatistics
    /// Error of the envelopes' interaural time difference from 4 to 12 kHz, in microseconds.
    public let envelopeTime: ErrorStatistics
    /// Error of the interaural level difference over ERB bands, dB.
    public let interauralLevel: ErrorStatistics
}

/// Accumulated errors of all ears and sources of a ``StaticEvaluation``.
struct StaticSums {
    /// Level errors in dB by ERB band.
    private(set) var erb = [[Float]](repeating: [], count: FrequencyBands.erb.count)
    /// Level errors in dB by third octave.
    private(set) var thirdOctaves = [[Float]](repeating: [], count: FrequencyBands.thirdOctaves.count)
    /// Power of the difference to the exact ear, by line.
    private(set) var difference: [Float]
    /// Power of the exact ear, by line.
    private(set) var power: [Float]
    /// Errors of interaural time differences in microseconds.
    private(set) var times: [Float] = []
    /// Errors of the envelopes' interaural time differences in microseconds.
    private(set) var envelopeTimes: [Float] = []
    /// Errors of interaural level differences in dB, of all bands.
    private(set) var levels: [Float] = []

    init(lines: Int) {
        difference = [Float](repeating: 0, count: lines)
        power = difference
    }

    mutating func add(left: EarMeasurement, right: EarMeasurement, spacing: Double, envelopes: EnvelopeDelay) {
        for ear in [left, right] {
            for (band, error) in Self.errors(ear.erb).enumerated() { erb[band].append(error) }
            for (band, error) in Self.errors(ear.thirdOctaves).enumerated() { thirdOctaves[band].append(error) }
            addDifference(ear)
        }
        times.append(
            Float(
                InterauralDifference.time(left: left.rendered, right: right.rendered, spacing: spacing)
                    - InterauralDifference.time(left: left.exact, right: right.exact, spacing: spacing)))
        envelopeTimes.append(
            Float(
                envelopes.time(left: left.rendered, right: right.rendered)
                    - envelopes.time(left: left.exact, right: right.exact)))
        let rendered = InterauralDifference.levels(left: left.erb.rendered, right: right.erb.rendered)
        let exact = InterauralDifference.levels(left: left.erb.exact, right: right.erb.exact)
        for (found, wanted) in zip(rendered, exact) { levels.append(Float(found - wanted)) }
    }

    private mutating func addDifference(_ ear: EarMeasurement) {
        for line in difference.indices {
            let (re, im) = (ear.rendered.re[line] - ear.exact.re[line], ear.rendered.im[line] - ear.exact.im[line])
            difference[line] += re * re + im * im
            power[line] += ear.exact.re[line] * ear.exact.re[line] + ear.exact.im[line] * ear.exact.im[line]
        }
    }

    /// Returns the level error in dB in each band.
    static func errors(_ powers: EarMeasurement.Powers) -> [Float] {
        zip(powers.rendered, powers.exact).map { Float(10 * log10($0 / $1)) }
    }

    /// Returns the lowest frequency in Hz where the difference, over about 100 Hz, exceeds `threshold` dB.
    func firstComplexError(above threshold: Double, spacing: Double) -> Double? {
        let reach = max(1, Int(clamping: 50 / spacing))
        let limit = Float(pow(10, threshold / 10))
        for line in 1 + reach..<difference.count - reach {
            let around = line - reach...line + reach
            if difference[around].reduce(0, +) > limit * power[around].reduce(0, +) { return Double(line) * spacing }
        }
        return nil
    }
}
