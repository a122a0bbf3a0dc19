public import Binaural
internal import Glibc

/// Measurement of a method at rest, for many single sources and ear positions between microphones.
///
/// The stimulus is periodic noise with equal magnitudes of all lines. After one period of settling, the lines of the next
/// one give the exact transfer function of linear time-invariant methods; for methods based on short-time spectra they
/// are the response to this noise. Powers are summed in bands before comparison, so that both kinds are measured alike.
public struct StaticEvaluation: Sendable {
    private let plan: EvaluationPlan
    private let spacing: Double
    private let series: SphereSeries
    private let erb: BandPowers
    private let thirdOctaves: BandPowers
    /// Displacement of the exact ears in degrees: 0, or deliberately wrong in tests.
    private let displacement: Double

    public init(_ plan: EvaluationPlan, displacement: Double = 0) {
        self.plan = plan
        self.displacement = displacement
        spacing = EarRenderer.rate / Double(plan.period)
        series = SphereSeries(
            Sphere(radius: plan.radius), spacing: spacing, lines: EvaluationPlan.lines(period: plan.period))
        erb = BandPowers(.erb, spacing: spacing)
        thirdOctaves = BandPowers(.thirdOctaves, spacing: spacing)
    }

    /// - Parameter microphones: number of microphones.
    public func run(microphones count: Int, _ method: InterpolationMethod) -> StaticFigures {
        let array = plan.array(count)
        let head = HRTFHead(plan)
        let bank = head.bank(array, method)
        let renderer = EarRenderer(array: array, method: method, bank: bank)
        let sphere = SphereMicrophones(array, series, period: plan.period)
        // The exact ears are on the array's own sphere or on the head's.
        let ears =
            bank == nil
            ? sphere
            : SphereMicrophones(
                array, SphereSeries(head.sphere, spacing: spacing, lines: series.lines), period: plan.period)
        let common =
            bank == nil
            ? CommonResponse(renderer, sphere, plan: plan)
            : CommonResponse(latency: method.latency(rate: Float(EarRenderer.rate)), plan: plan)
        let places = (0..<plan.positions).map { (Double($0) + 0.5) / Double(plan.positions) * 360 / Double(count) }
        var sums = StaticSums(lines: series.lines)
        for source in 0..<plan.sources {
            let azimuth = 180 * Double(source) / Double(plan.sources)
            let noise = LineSpectrum.noise(
                lines: series.lines, range: 1...series.lines - 1, seed: plan.seed, stream: UInt64(source))
            let rendered = renderer.render(
                microphones: sphere.signals(noise, azimuth: azimuth), frames: CommonResponse.settling + plan.period,
                yaws: places.map { place in { _ in place - 90 } })
            for (index, place) in places.enumerated() {
                let pair = (0..<2).map { ear in
                    EarMeasurement(
                        rendered: sphere.spectrum(rendered[2 * index + ear]).timesConjugate(common.phase),
                        exact: ears.exact(noise, azimuth: azimuth, at: place - 180 * Double(ear) + displacement),
                        erb: erb, thirdOctaves: thirdOctaves)
                }
                sums.add(left: pair[0], right: pair[1], spacing: spacing)
            }
        }
        return StaticFigures(
            microphones: count, method: method, latency: common.latency, level: RegionStatistics(sums.erb, .erb),
            erb: sums.erb.map { ErrorStatistics($0) }, thirdOctaves: sums.thirdOctaves.map { ErrorStatistics($0) },
            complexError: zip(erb.sums(sums.difference), erb.sums(sums.power)).map { 10 * log10($0 / $1) },
            firstComplexError: sums.firstComplexError(above: -20, spacing: spacing), time: ErrorStatistics(sums.times),
            interauralLevel: ErrorStatistics(sums.levels))
    }
}
