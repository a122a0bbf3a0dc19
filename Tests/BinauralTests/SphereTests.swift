import Binaural
import DSP
import TestSupport
import Testing

@Suite struct SphereTests {
    static let sphere = Sphere(radius: 0.0875)
    static let angles = [0.0, 22.5, 60, 90, 120, 157.5, 180].map { $0 * Double.pi / 180 }

    @Test func lowFrequenciesAreUnchanged() {
        for cosine in [-1.0, -0.5, 0, 0.5, 1] {
            #expect(abs(Self.sphere.pressure(frequency: 50, cosine: cosine).decibels) < 0.02)
            #expect(Self.sphere.pressure(frequency: 0, cosine: cosine) == Complex(1))
        }
    }

    @Test func pressureDoublesInFrontOfTheWall() {
        #expect(abs(Self.sphere.pressure(frequency: 16_000, cosine: 1).decibels - 5.99) < 0.01)
    }

    @Test func brightSpotBehind() {
        let behind = Self.sphere.pressure(frequency: 8000, cosine: -1).decibels
        #expect(behind > Self.sphere.pressure(frequency: 8000, cosine: -0.9).decibels + 3)
    }

    /// At low frequencies the wave arrives 1.5 r/c early in front and as much later behind.
    @Test(arguments: [1.0, -1, 0.5, 0])
    func lowFrequencyArrival(cosine: Double) {
        let expected = -1.5 * 0.0875 / 343 * cosine * 1e6
        let low = Self.sphere.pressure(frequency: 20, cosine: cosine).phase
        let high = Self.sphere.pressure(frequency: 25, cosine: cosine).phase
        let phaseDelay = -low / (2 * .pi * 20) * 1e6
        let groupDelay = -(high - low) / (2 * .pi * 5) * 1e6
        #expect(abs(phaseDelay - expected) < 1)
        #expect(abs(groupDelay - expected) < 1)
    }

    /// Well above x = 1 the wave arrives r/c early in front.
    @Test func highFrequencyArrivalInFront() {
        let low = Self.sphere.pressure(frequency: 12_000, cosine: 1).phase
        let high = Self.sphere.pressure(frequency: 12_010, cosine: 1).phase
        let groupDelay = -(high - low) / (2 * .pi * 10) * 1e6
        #expect(abs(groupDelay + 0.0875 / 343 * 1e6) < 2)
    }

    @Test(arguments: [1e-6, 0.01, 0.3, 1, 2.5, 7, 15, 26])
    func agreesWithTheOracle(size x: Double) {
        let modes = SphereModes(size: x)
        for angle in Self.angles {
            let fast = modes.pressure(cosine: Complex(magnitude: 1, phase: angle).re)
            let orders = x < 0.1 ? 8 : Int(1.2 * x) + 25
            let slow = SphereOracle.pressure(size: x, angle: angle, orders: orders)
            #expect((fast - slow).magnitude < 1e-9, "x \(x), angle \(angle): \(fast) and \(slow)")
        }
    }

    @Test func smallestAndLargestSizesStayFinite() {
        for x in [1e-12, 1e-8, 1.1e-8, 100, 1000, 5000] {
            let modes = SphereModes(size: x)
            for cosine in [-1.0, 0, 1] {
                let magnitude = modes.pressure(cosine: cosine).magnitude
                #expect(magnitude.isFinite && magnitude < 2.001)
            }
            #expect(x < 10 || abs(modes.pressure(cosine: 1).magnitude - 2) < 0.01)
        }
    }
}
