import Binaural
import DSP
import Foundation
import Testing

@testable import Evaluation

/// The exact ear equals the sphere, at rest and in motion.
@Suite struct ExactFieldTests {
    static let sphere = Sphere(radius: 0.0875)

    @Test(arguments: [0.0, 31.7, 90, -142, 180])
    func seriesIsTheSphere(degrees: Double) {
        let series = SphereSeries(Self.sphere, spacing: 500, lines: 33)
        let response = series.response(degrees: degrees)
        for line in 1..<33 {
            let exact = Self.sphere.pressure(frequency: 500 * Double(line), cosine: cos(degrees * .pi / 180))
            let found = Complex(Double(response.re[line]), Double(response.im[line]))
            #expect((found - exact).magnitude < 2e-5)
        }
    }

    /// Two sources: each line of the field at a position is the sum of both by the sphere's formula.
    @Test func fieldIsTheSumOfItsSources() {
        let period = 512
        let series = SphereSeries(Self.sphere, spacing: 48_000 / Double(period), lines: 120)
        let spectra = (0..<2).map { LineSpectrum.noise(lines: 120, range: 1...119, seed: 9, stream: UInt64($0)) }
        let azimuths = [40.0, -110]
        let field = CircularField(series, sources: Array(zip(azimuths, spectra)), period: period)
        let lines = PeriodicTransform(period: period).lines(of: field.signal(azimuth: 77), count: 120)
        for line in [1, 10, 60, 119] {
            let modes = Self.sphere.modes(frequency: series.spacing * Double(line))
            var exact = Complex(0)
            for (azimuth, spectrum) in zip(azimuths, spectra) {
                let pressure = modes.pressure(cosine: cos((77 - azimuth) * .pi / 180))
                exact = exact + pressure * Complex(Double(spectrum.re[line]), Double(spectrum.im[line]))
            }
            #expect((Complex(Double(lines.re[line]), Double(lines.im[line])) - exact).magnitude < 1e-4)
        }
    }

    /// At every moment the moving ear receives the sound of a fixed ear at its current position; the delay applies to
    /// the sound and not to the motion.
    @Test func movingEarPassesFixedPlaces() {
        let period = 512
        let series = SphereSeries(Self.sphere, spacing: 48_000 / Double(period), lines: 120)
        let noise = LineSpectrum.noise(lines: 120, range: 1...119, seed: 2, stream: 0)
        let field = CircularField(series, sources: [(25, noise)], period: period)
        let azimuths = (0..<2000).map { -170 + 0.17 * Double($0) }
        let (now, late) = (field.signal(azimuths: azimuths, delay: 0), field.signal(azimuths: azimuths, delay: 300))
        for sample in [0, 511, 512, 1023, 1024, 1777] {
            let place = field.signal(azimuth: azimuths[sample])
            #expect(abs(now[sample] - place[sample % period]) < 1e-5)
            #expect(abs(late[sample] - place[(sample + 1024 - 300) % period]) < 1e-5)
        }
    }
}
