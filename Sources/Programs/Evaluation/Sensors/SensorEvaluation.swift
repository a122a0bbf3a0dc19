public import Binaural
internal import Glibc

/// Measurement of a method with imperfect microphones: the noise of the microphones themselves, and errors of their gains and
/// places, which the renderer does not know of.
public struct SensorEvaluation: Sendable {
    /// Roll of the leaning head whose noise is measured, degrees.
    public static let roll = 45.0

    private let grid: EvaluationGrid
    private var plan: EvaluationPlan { grid.plan }

    public init(_ plan: EvaluationPlan) {
        grid = EvaluationGrid(plan)
    }

    /// - Parameter microphones: number of microphones.
    public func run(microphones count: Int, _ method: InterpolationMethod) -> SensorFigures {
        let array = plan.array(count)
        let head = HRTFHead(plan)
        let bank = head.bank(array, method)
        let renderer = EarRenderer(array: array, method: method, bank: bank)
        let sphere = grid.microphones(array)
        let ears = bank == nil ? sphere : grid.ears(array, head)
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
            microphones: count, method: method, noise: noise(renderer, sphere, places, roll: 0),
            rolledNoise: noise(renderer, sphere, places, roll: Self.roll), ideal: RegionStatistics(ideal, .erb),
            gains: RegionStatistics(gains, .erb),
            positions: RegionStatistics(positions, .erb), gainBands: gains.map { ErrorStatistics($0) },
            positionBands: positions.map { ErrorStatistics($0) })
    }

    /// Returns the level at the ears of independent noise of every microphone, dB relative to that of one, by band.
    private func noise(_ renderer: EarRenderer, _ sphere: SphereMicrophones, _ places: [Double], roll: Double) -> [Double] {
        var powers = [Double](repeating: 0, count: FrequencyBands.erb.count)
        let own = grid.noise(stream: 0x300000)
        for take in 0..<plan.sensorTakes {
            let microphones = (0..<renderer.array.count).map { channel in
                sphere.signal(grid.noise(stream: 0x300000 + take * 0x1000 + channel))
            }
            let rendered = renderer.render(
                microphones: microphones, frames: CommonResponse.settling + plan.period,
                heads: places.map { place in { _ in SIMD3(place - 90, 0, roll) } })
            for ear in rendered {
                for (band, power) in grid.powers(sphere.spectrum(ear)).enumerated() { powers[band] += power }
            }
        }
        let count = Double(2 * places.count * plan.sensorTakes)
        return zip(powers, grid.powers(own)).map { 10 * log10($0 / count / $1) }
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
                let noise = grid.noise(stream: 0x500000 + take * 0x1000 + source)
                let rendered = renderer.render(
                    microphones: sphere.signals(noise, azimuth: azimuth, sensors), frames: CommonResponse.settling + plan.period,
                    yaws: places.map { place in { _ in place - 90 } })
                for (index, place) in places.enumerated() {
                    for ear in 0..<2 {
                        let exact = ears.exact(noise, azimuth: azimuth, at: place - 180 * Double(ear))
                        let heard = sphere.spectrum(rendered[2 * index + ear])
                        for (band, level) in grid.levels(heard, relativeTo: exact).enumerated() { errors[band].append(level) }
                    }
                }
            }
        }
        return errors
    }
}
