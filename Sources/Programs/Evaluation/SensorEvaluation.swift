public import Binaural
internal import DSP
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

/// Effect of imperfect microphones on a method.
public struct SensorFigures: Sendable {
    public let microphones: Int
    public let method: InterpolationMethod
    /// Level in each ERB band of the microphones' own noise at the ear, dB relative to the noise of one microphone.
    public let noise: [Double]
    /// The same for a head that is rolled by ``SensorEvaluation/roll``.
    public let rolledNoise: [Double]
    /// Level error over ERB bands with ideal microphones, dB, at the places of the other two measurements.
    public let ideal: RegionStatistics
    /// The same with errors of the microphones' gains.
    public let gains: RegionStatistics
    /// The same with errors of the microphones' places.
    public let positions: RegionStatistics
    /// Level error in each ERB band with errors of the gains, dB.
    public let gainBands: [ErrorStatistics]
    /// Level error in each ERB band with errors of the places, dB.
    public let positionBands: [ErrorStatistics]

    /// Level of the noise at the ear in a range of frequencies, each band with the same weight, dB.
    ///
    /// - Parameter range: Hz.
    public func noise(in range: Range<Double>) -> Double { Self.mean(noise, range) }

    /// The same for the rolled head.
    public func rolledNoise(in range: Range<Double>) -> Double { Self.mean(rolledNoise, range) }

    private static func mean(_ noise: [Double], _ range: Range<Double>) -> Double {
        let bands = FrequencyBands.erb.centres.indices.filter { range.contains(FrequencyBands.erb.centres[$0]) }
        return bands.map { noise[$0] }.reduce(0, +) / Double(bands.count)
    }
}

/// Gain and place of each microphone relative to those that the renderer assumes.
struct SensorErrors: Sendable {
    /// Factor of each channel.
    let gains: [Float]
    /// Degrees by which each channel is displaced on the equator.
    let displacements: [Double]

    /// Normally distributed errors.
    ///
    /// - Parameters:
    ///   - gain: standard deviation, dB.
    ///   - position: standard deviation, degrees.
    static func random(_ count: Int, gain: Double, position: Double, seed: UInt64, stream: UInt64) -> SensorErrors {
        var random = SeededRandom(seed: seed, stream: stream)
        func normal() -> Double {
            (-2 * log(max(random.unit(), 1e-12))).squareRoot() * cos(2 * .pi * random.unit())
        }
        let errors = (0..<count).map { _ in (normal(), normal()) }
        return SensorErrors(
            gains: errors.map { Float(pow(10, gain * $0.0 / 20)) }, displacements: errors.map { position * $0.1 })
    }
}
