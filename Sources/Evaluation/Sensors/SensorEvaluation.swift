public import Binaural
internal import Glibc

/// Measurement of a method with imperfect microphones: the noise of the microphones themselves, and errors of their gains and
/// places, which the renderer does not know of.
public struct SensorEvaluation: Sendable {
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

    /// - Parameter microphones: number of microphones.
    public func run(microphones count: Int, _ method: InterpolationMethod) -> SensorFigures {
        let array = plan.array(count)
        let head = HRTFHead(plan)
        let bank = head.bank(array, method)
        let renderer = EarRenderer(array: array, method: method, bank: bank)
        let sphere = SphereMicrophones(array, series, period: plan.period)
        let ears =
            bank == nil
            ? sphere
            : SphereMicrophones(array, SphereSeries(head.sphere, spacing: spacing, lines: series.lines), period: plan.period)
        let places = (0..<plan.sensorPositions).map {
            (Double($0) + 0.5) / Double(plan.sensorPositions) * 360 / Double(count)
        }
        func measure(gain: Double, position: Double) -> [[Float]] {
            levels(renderer, sphere, ears, places, gain: gain, position: position)
        }
        let ideal = measure(gain: 0, position: 0)
        let gains = measure(gain: plan.sensorGain, position: 0)
        let positions = measure(gain: 0, position: plan.sensorPosition)
        return SensorFigures(
            microphones: count, method: method, noise: noise(renderer, sphere, places),
            ideal: RegionStatistics(ideal, .erb), gains: RegionStatistics(gains, .erb),
            positions: RegionStatistics(positions, .erb), gainBands: gains.map { ErrorStatistics($0) },
            positionBands: positions.map { ErrorStatistics($0) })
    }

    private func noise(stream: UInt64) -> LineSpectrum {
        .noise(lines: series.lines, range: 1...series.lines - 1, seed: plan.seed, stream: stream)
    }

    /// Returns the level at the ears of independent noise of every microphone, dB relative to that of one, by band.
    private func noise(_ renderer: EarRenderer, _ sphere: SphereMicrophones, _ places: [Double]) -> [Double] {
        var powers = [Double](repeating: 0, count: FrequencyBands.erb.count)
        let own = noise(stream: 0x300000)
        for take in 0..<plan.sensorTakes {
            let microphones = (0..<renderer.array.count).map { channel in
                sphere.signal(noise(stream: UInt64(0x300000 + take * 0x1000 + channel)))
            }
            let rendered = renderer.render(
                microphones: microphones, frames: CommonResponse.settling + plan.period, yaws: places.map { place in { _ in place - 90 } })
            for ear in rendered {
                for (band, power) in erb.sums(sphere.spectrum(ear).powers).enumerated() { powers[band] += power }
            }
        }
        let count = Double(2 * places.count * plan.sensorTakes)
        return zip(powers, erb.sums(own.powers)).map { 10 * log10($0 / count / $1) }
    }

    /// Returns the level errors in dB by band: of every take, each with other errors of the microphones, source, place and ear.
    private func levels(
        _ renderer: EarRenderer, _ sphere: SphereMicrophones, _ ears: SphereMicrophones, _ places: [Double], gain: Double,
        position: Double
    ) -> [[Float]] {
        var errors = [[Float]](repeating: [], count: FrequencyBands.erb.count)
        for take in 0..<plan.sensorTakes {
            let sensors = SensorErrors.random(
                renderer.array.count, gain: gain, position: position, seed: plan.seed, stream: UInt64(0x400000 + take))
            for source in 0..<plan.sensorSources {
                let azimuth = 180 * (Double(source) + 0.25) / Double(plan.sensorSources)
                let noise = noise(stream: UInt64(0x500000 + take * 0x1000 + source))
                let rendered = renderer.render(
                    microphones: sphere.signals(noise, azimuth: azimuth, sensors), frames: CommonResponse.settling + plan.period,
                    yaws: places.map { place in { _ in place - 90 } })
                for (index, place) in places.enumerated() {
                    for ear in 0..<2 {
                        let exact = ears.exact(noise, azimuth: azimuth, at: place - 180 * Double(ear))
                        let heard = erb.sums(sphere.spectrum(rendered[2 * index + ear]).powers)
                        for (band, powers) in zip(heard, erb.sums(exact.powers)).enumerated() {
                            errors[band].append(Float(10 * log10(powers.0 / powers.1)))
                        }
                    }
                }
            }
        }
        return errors
    }
}
