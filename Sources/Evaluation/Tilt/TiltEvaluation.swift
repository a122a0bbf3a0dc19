public import Binaural
internal import Glibc

/// Measurement of a method for heads that are rolled and pitched: ears above and below the plane of microphones and sources.
public struct TiltEvaluation: Sendable {
    private let plan: EvaluationPlan
    private let spacing: Double
    private let series: SphereSeries
    private let erb: BandPowers

    public init(_ plan: EvaluationPlan) {
        self.plan = plan
        spacing = EarRenderer.rate / Double(plan.period)
        series = SphereSeries(
            Sphere(radius: plan.radius), spacing: spacing, lines: EvaluationPlan.lines(period: plan.period))
        erb = BandPowers(.erb, spacing: spacing)
    }

    /// Measures every tilt of the plan.
    ///
    /// - Parameter count: number of microphones.
    public func run(microphones count: Int, _ method: InterpolationMethod) -> [TiltFigures] {
        let array = plan.array(count)
        let head = HRTFHead(plan)
        let bank = head.bank(array, method)
        let renderer = EarRenderer(array: array, method: method, bank: bank)
        let sphere = SphereMicrophones(array, series, period: plan.period)
        let ears =
            bank == nil
            ? sphere
            : SphereMicrophones(array, SphereSeries(head.sphere, spacing: spacing, lines: series.lines), period: plan.period)
        // A quarter of a sector: neither at a microphone nor between two.
        let yaw = 90.0 / Double(count)
        var sums = [Sums](repeating: Sums(), count: plan.tilts.count)
        for source in 0..<plan.tiltSources {
            // One of the sources is at 90 degrees from the head.
            let azimuth = 90 + 360 * Double(source) / Double(plan.tiltSources)
            let noise = LineSpectrum.noise(
                lines: series.lines, range: 1...series.lines - 1, seed: plan.seed, stream: UInt64(0x600000 + source))
            let rendered = renderer.render(
                microphones: sphere.signals(noise, azimuth: azimuth + yaw), frames: CommonResponse.settling + plan.period,
                heads: plan.tilts.map { tilt in { _ in SIMD3(yaw, tilt.pitch, tilt.roll) } })
            for (index, tilt) in plan.tilts.enumerated() {
                let exact = [true, false].map { isLeft in
                    ears.exact(noise, azimuth: 0, at: tilt.angle(isLeft: isLeft, azimuth: azimuth))
                }
                let heard = (0..<2).map { sphere.spectrum(rendered[2 * index + $0]) }
                sums[index].add(heard, exact, erb, spacing: spacing, isSide: source == 0)
            }
        }
        return zip(plan.tilts, sums).map { tilt, sums in
            TiltFigures(
                microphones: count, method: method, tilt: tilt, time: ErrorStatistics(sums.times), side: sums.side,
                level: RegionStatistics(sums.levels, .erb))
        }
    }

    private struct Sums {
        private(set) var times: [Float] = []
        private(set) var side = (rendered: 0.0, exact: 0.0)
        private(set) var levels = [[Float]](repeating: [], count: FrequencyBands.erb.count)

        mutating func add(
            _ heard: [LineSpectrum], _ exact: [LineSpectrum], _ erb: BandPowers, spacing: Double, isSide: Bool
        ) {
            let found = InterauralDifference.time(left: heard[0], right: heard[1], spacing: spacing)
            let wanted = InterauralDifference.time(left: exact[0], right: exact[1], spacing: spacing)
            times.append(Float(found - wanted))
            if isSide { side = (found, wanted) }
            for (heard, exact) in zip(heard, exact) {
                for (band, powers) in zip(erb.sums(heard.powers), erb.sums(exact.powers)).enumerated() {
                    levels[band].append(Float(10 * log10(powers.0 / powers.1)))
                }
            }
        }
    }
}
