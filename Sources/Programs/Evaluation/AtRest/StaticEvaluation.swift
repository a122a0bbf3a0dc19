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
