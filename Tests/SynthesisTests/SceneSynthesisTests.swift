import Binaural
import DSP
import Glibc
import Media
import Synthesis
import Testing

@Suite struct SceneSynthesisTests {
    static let array = MicrophoneArray.uniform(count: 16)

    static func scene(
        _ sources: (MonoSignal, SceneDescription.Placement)..., rate: Int = 48_000, array: MicrophoneArray = array,
        seamless: Bool = false
    ) throws -> SceneSynthesis {
        try SceneSynthesis(
            array: array, rate: rate, sources: sources.map { SceneSource($0.0, $0.1) }, seamless: seamless)
    }

    static func place(_ azimuth: Double, _ elevation: Double = 0, gain: Double = 0) -> SceneDescription.Placement {
        .init(name: "test", azimuth: azimuth, elevation: elevation, gain: gain)
    }

    /// Every channel compared with the formula, in dB and in microseconds, 100 Hz to 16 kHz.
    @Test(arguments: [(44_100, 0.0875, 0.0), (48_000, 0.0875, 30), (96_000, 0.0875, -100), (48_000, 0.2, 77)])
    func channelsAreTheSphere(rate: Int, radius: Float, azimuth: Double) throws {
        let array = MicrophoneArray.uniform(count: 5, radius: radius)
        let synthesis = try Self.scene((.impulse(rate: rate), Self.place(azimuth)), rate: rate, array: array)
        let recording = try Recording(synthesis)
        let sphere = Sphere(radius: Double(radius))
        var worst = (decibels: 0.0, microseconds: 0.0)
        for step in 0...40 {
            let frequency = 100 * pow(160, Double(step) / 40)
            let modes = sphere.modes(frequency: frequency)
            for channel in 0..<array.count {
                let angle = (azimuth - Double(array.azimuths[channel])) * .pi / 180
                let expected = modes.pressure(cosine: cos(angle))
                let found = recording.spectrum(channel, at: frequency, rate: Double(rate), origin: synthesis.delay)
                let ratio = found / expected
                worst.decibels = max(worst.decibels, abs(ratio.decibels))
                worst.microseconds = max(worst.microseconds, abs(ratio.phase) / (2 * .pi * frequency) * 1e6)
            }
        }
        #expect(worst.decibels < 0.001)
        #expect(worst.microseconds < 0.01)
    }

    /// The microphone that faces the source receives it first and loudest: azimuth is positive to the left.
    @Test(arguments: [(90.0, 12), (-90, 4), (0, 0), (180, 8)])
    func azimuthIsPositiveToTheLeft(azimuth: Double, nearest: Int) throws {
        let recording = try Recording(Self.scene((.impulse(), Self.place(azimuth))))
        let peaks = recording.channels.map { channel in channel.map(abs).max()! }
        let places = recording.channels.map { channel in channel.firstIndex { abs($0) > 0.2 }! }
        #expect(peaks.firstIndex(of: peaks.max()!) == nearest)
        #expect(places.firstIndex(of: places.min()!) == nearest)
    }

    @Test func elevationIsTheAngleBetweenDirections() throws {
        let (azimuth, elevation) = (70.0, 40.0)
        let synthesis = try Self.scene((.impulse(), Self.place(azimuth, elevation)))
        let recording = try Recording(synthesis)
        let sphere = Sphere(radius: 0.0875)
        func direction(_ azimuth: Double, _ elevation: Double) -> SIMD3<Double> {
            let (a, e) = (azimuth * .pi / 180, elevation * .pi / 180)
            return [cos(e) * cos(a), cos(e) * sin(a), sin(e)]
        }
        for channel in 0..<16 {
            let product = direction(azimuth, elevation) * direction(Double(Self.array.azimuths[channel]), 0)
            for frequency in [200.0, 3000, 11_000] {
                let expected = sphere.pressure(frequency: frequency, cosine: product.sum())
                let found = recording.spectrum(channel, at: frequency, rate: 48_000, origin: synthesis.delay)
                #expect((found - expected).magnitude < 0.002)
            }
        }
        let above = try Recording(Self.scene((.impulse(), Self.place(0, 90))))
        for channel in above.channels { #expect(channel == above.channels[0]) }
    }

    @Test func sourcesAddUpWithTheirGains() throws {
        let first = MonoSignal.noise(frames: 9000)
        let second = MonoSignal.noise(frames: 5000, seed: 7)
        let both = try Recording(Self.scene((first, Self.place(20)), (second, Self.place(-130, 20, gain: -6))))
        let alone = try Recording(Self.scene((first, Self.place(20))))
        let other = try Recording(Self.scene((second, Self.place(-130, 20))))
        var sum = alone
        let gain = Float(pow(10, -6.0 / 20))
        for channel in 0..<16 {
            for frame in other.channels[channel].indices {
                sum.channels[channel][frame] += gain * other.channels[channel][frame]
            }
        }
        #expect(sum.channels[0].count == both.channels[0].count)
        #expect(both.difference(sum) < -115)
        #expect(other.channels[0].count < alone.channels[0].count)
    }

    /// A loop of one impulse is the impulse response wrapped around, for any position in the loop.
    @Test(arguments: [4000, 7000])
    func loopWrapsAround(length: Int) throws {
        let straight = try Recording(Self.scene((.impulse(), Self.place(45))))
        for place in [0, 1, length - 1, length - 300] {
            let synthesis = try Self.scene(
                (.impulse(frames: length, delay: place), Self.place(45)), seamless: true)
            let loop = try Recording(synthesis)
            #expect(synthesis.frames == length && loop.channels[0].count == length)
            var wrapped = straight
            wrapped.channels = straight.channels.map { channel in
                var turned = [Float](repeating: 0, count: length)
                for (n, sample) in channel.enumerated() { turned[(n + place) % length] += sample }
                return turned
            }
            #expect(loop.difference(wrapped) < -115)
        }
    }

    /// A loop shorter than the filters is repeated as often as they require.
    @Test func shortestLoop() throws {
        let period = 48
        let samples = (0..<period).map { Float(sin(2 * Double.pi * Double($0) / Double(period))) }
        let tone = MonoSignal(name: "tone", rate: 48_000, samples: samples)
        let loop = try Recording(Self.scene((tone, Self.place(0)), seamless: true))
        let level = loop.spectrum(0, at: 1000, rate: 48_000).magnitude / Double(period / 2)
        let expected = Sphere(radius: 0.0875).pressure(frequency: 1000, cosine: 1).magnitude
        #expect(abs(20 * log10(level / expected)) < 0.01)
    }

    /// Resampling keeps time and level, and a loop remains seamless.
    @Test func otherRatesAreResampled() throws {
        let rate = 44_100
        let wave = (0..<rate / 2).map { Float(sin(2 * .pi * 1000 * Double($0) / Double(rate))) }
        let tone = MonoSignal(name: "tone", rate: rate, samples: wave)
        let synthesis = try Self.scene((tone, Self.place(0)), seamless: true)
        let loop = try Recording(synthesis)
        #expect(synthesis.frames == 24_000)
        let found = loop.spectrum(0, at: 1000, rate: 48_000, origin: synthesis.delay)
        let expected = Sphere(radius: 0.0875).pressure(frequency: 1000, cosine: 1) * Complex(0, -12_000)
        let ratio = found / expected
        #expect(abs(ratio.decibels) < 0.01)
        #expect(abs(ratio.phase) / (2 * .pi * 1000) * 1e6 < 0.1)
        // The residual without the tone would contain a seam.
        for n in loop.channels[0].indices {
            let phase = 2 * .pi * 1000 * Double(n - synthesis.delay) / 48_000 + found.phase
            #expect(abs(Double(loop.channels[0][n]) - found.magnitude / 12_000 * cos(phase)) < 1e-4)
        }
    }

    @Test func invalidScenesAreRefused() {
        #expect(throws: MediaError.self) { try SceneSynthesis(array: Self.array, rate: 48_000, sources: []) }
        #expect(throws: MediaError.self) { try Self.scene((.impulse(), Self.place(.nan))) }
        #expect(throws: MediaError.self) { try Self.scene((.impulse(), Self.place(0, 91))) }
        #expect(throws: MediaError.self) { try Self.scene((.impulse(), Self.place(0)), rate: 0) }
    }
}
