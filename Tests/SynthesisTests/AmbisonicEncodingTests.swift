import Binaural
import DSP
import FileOutput
import Foundation
import Media
import Synthesis
import TestSupport
import Testing

@Suite struct AmbisonicEncodingTests {
    let fixture = TemporaryFolder()

    /// Encodes an impulse in the middle of a recording by `array`; also returns the position of that middle.
    private func encoded(
        azimuth: Double, array: MicrophoneArray = .uniform(count: 16), order: Int, limit: Double = 20
    ) throws -> (signal: AmbisonicSignal, middle: Int) {
        let source = SceneSource(
            MonoSignal.impulse(frames: 20_000, delay: 10_000), .init(name: "impulse", azimuth: azimuth))
        let synthesis = try SceneSynthesis(array: array, rate: 48_000, sources: [source])
        let path = fixture.path("scene\(azimuth).wav")
        try synthesis.write(to: OutputFile(path), OutputFile(SceneDescription.sidecar(of: path)))
        var reader = try RecordingReader(path: path)
        let encoding = try AmbisonicEncoding(reader.array, rate: reader.rate, order: order, limit: limit)
        let signal = try AmbisonicSignal(encoding, &reader)
        #expect(signal.frames == synthesis.frames)
        return (signal, 10_000 + synthesis.delay)
    }

    /// Compared with a horizontal plane wave in AmbiX, by ACN: azimuth positive to the left.
    @Test(arguments: [0.0, 30, 90, -65, 147, 180])
    func planeWaveFirstOrder(azimuth: Double) throws {
        let (signal, middle) = try encoded(azimuth: azimuth, order: 1)
        for frequency in [300.0, 700, 1500, 2500] {
            let values = (0..<4).map { signal.spectrum($0, at: frequency, origin: middle) }
            #expect(abs(values[0].decibels) < 0.1)
            #expect(abs(values[0].phase) < 0.01)
            #expect(values[2].magnitude < 1e-6)
            let (y, x) = (values[1] / values[0], values[3] / values[0])
            let found = atan2(y.re, x.re) * 180 / .pi
            #expect(abs(remainder(found - azimuth, 360)) < 1, "\(frequency) Hz: \(found) degrees")
            #expect(abs(20 * log10(hypot(y.re, x.re))) < 0.2)
            #expect(hypot(y.im, x.im) < 0.02)
        }
    }

    /// Circular harmonics of higher orders, each where its filter is 12 dB below its limit.
    @Test(arguments: [(20.0, 16), (-100, 16), (77, 15)])
    func planeWaveHigherOrders(azimuth: Double, microphones: Int) throws {
        let (signal, middle) = try encoded(azimuth: azimuth, array: .uniform(count: microphones), order: 7)
        for (degree, frequency) in [(1, 500.0), (2, 1200), (3, 2000), (4, 3000)] {
            let (order, turned) = (degree, Double(degree) * azimuth * .pi / 180)
            let share = AmbisonicChannel(number: order * order + 2 * order).horizontal
            let cosine = signal.spectrum(order * order + 2 * order, at: frequency, origin: middle)
            let sine = signal.spectrum(order * order, at: frequency, origin: middle)
            #expect(abs(cosine.re - share * cos(turned)) < 0.023 * share)
            #expect(abs(sine.re - share * sin(turned)) < 0.023 * share)
            #expect(abs(cosine.im) < 0.023 * share && abs(sine.im) < 0.023 * share)
        }
    }

    /// An uneven ring whose first microphone is not in front is fitted instead of transformed.
    @Test func unevenRing() throws {
        let azimuths: [Float] = [3, 29, 50, 70, 95, 120, 139, 160, 183, 205, 230, 250, 271, 295, 320, 340]
        let array = MicrophoneArray(azimuths: azimuths, radius: 0.0875)
        let (signal, middle) = try encoded(azimuth: 40, array: array, order: 2)
        let values = (0..<4).map { signal.spectrum($0, at: 800, origin: middle) }
        #expect(abs(atan2((values[1] / values[0]).re, (values[3] / values[0]).re) * 180 / .pi - 40) < 1)
    }

    @Test func limitIsNeverExceeded() throws {
        let (signal, middle) = try encoded(azimuth: 0, order: 3, limit: 6)
        for frequency in stride(from: 20.0, through: 20_000, by: 331) {
            let share = AmbisonicChannel(number: 15).horizontal
            // In front, cos(3 azimuth) is 1, and the sphere's surface has at most twice the free-field pressure.
            #expect(signal.spectrum(15, at: frequency, origin: middle).magnitude < 4.1 * share)
        }
    }

    @Test func weightsOfTheHorizon() {
        let expected = [1, 1, 0, 1, 0.75.squareRoot(), 0, -0.5, 0, 0.75.squareRoot()]
        for (number, value) in expected.enumerated() {
            #expect(abs(AmbisonicChannel(number: number).horizontal - value) < 1e-12)
        }
        #expect(AmbisonicChannel(number: 11) == AmbisonicChannel(number: 3 * 3 + 3 - 1))
        #expect(AmbisonicChannel(number: 11).order == 3 && AmbisonicChannel(number: 11).degree == -1)
        // The squared weights of one order, with SN3D on the whole sphere, add up to 1 in every direction.
        for order in [5, 31] {
            let sum = (0...order).reduce(0.0) { sum, degree in
                sum + pow(AmbisonicChannel(number: order * order + order + degree).horizontal, 2)
            }
            #expect(abs(sum - 1) < 1e-9)
        }
    }

    @Test func refusals() {
        func message(_ array: MicrophoneArray, _ order: Int, limit: Double = 20) -> String {
            do {
                _ = try AmbisonicEncoding(array, rate: 48_000, order: order, limit: limit)
                return ""
            } catch { return error.description }
        }
        #expect(message(.uniform(count: 16), 8).contains("orders 0 to 7"))
        #expect(message(.uniform(count: 4), 2).contains("orders 0 to 1"))
        #expect(message(.uniform(count: 16), 3, limit: 90).contains("0 to 40 dB"))
        let crowded = MicrophoneArray(azimuths: [0, 2, 4, 6, 8, 10, 12, 180], radius: 0.0875)
        #expect(message(crowded, 3).contains("are spaced so unevenly"))
        #expect(AmbisonicEncoding.highest(.uniform(count: 16)) == 7)
    }
}
