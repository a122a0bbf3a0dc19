import DSP
import Foundation
import TestSupport
import Testing

@testable import Binaural

/// The ring's weights with the rows for elevations, against the exact pressure at the ear of a sphere.
@Suite struct ElevationTests {
    struct Case: CustomTestStringConvertible {
        var microphones = 16
        var radius = 0.0875
        var rate = 48_000.0
        var testDescription: String { "\(microphones) microphones, \(radius) m, \(rate) Hz" }
    }

    static let cases = [
        Case(), Case(microphones: 8), Case(microphones: 32), Case(rate: 44_100), Case(rate: 96_000), Case(rate: 192_000),
        Case(radius: 0.06), Case(radius: 0.2), Case(radius: 0.2, rate: 96_000),
    ]

    /// Power of the difference to the exact ear over that of the exact ear, dB, of sources all around.
    ///
    /// - Parameters:
    ///   - size: product of wave number and radius.
    ///   - isCorrected: use the rows for the elevation.
    func error(_ setting: Case, size: Double, elevation: Double, isCorrected: Bool = true) -> Double {
        let array = MicrophoneArray.uniform(count: setting.microphones, radius: Float(setting.radius))
        let ring = RingLookup(array, rate: Float(setting.rate))
        let memory = UnsafeMutablePointer<Float>.allocate(capacity: Taps.rows)
        memory.initialize(repeating: 0, count: Taps.rows)
        defer { memory.deallocate() }
        var taps = Taps(weights: memory)
        let ear = 73.0
        ring.add(azimuth: Float(ear), to: &taps, .ringDelayedLow)
        if isCorrected { ring.add(azimuth: Float(ear), elevation: Float(elevation), to: &taps) }
        let turn = size * 343 / setting.radius / setting.rate
        var (difference, power) = (0.0, 0.0)
        for source in stride(from: 0.0, to: 360, by: 40) {
            func pressure(_ cosine: Double) -> Complex {
                SphereOracle.pressure(size: size, angle: acos(max(-1, min(1, cosine))), orders: 14)
            }
            func cosine(_ azimuth: Double) -> Double { cos((azimuth - source) * .pi / 180) }
            let microphones = array.azimuthList.map { pressure(cosine(Double($0))) }
            var heard = Complex(0)
            for (channel, pressure) in microphones.enumerated() {
                heard = heard + Double(memory[Taps.row(.ringDelayedLow, channel)]) * pressure
            }
            var (row, term) = (0, 0)
            for function in 0..<ElevationTerms.functions {
                let count = ElevationTerms.count(order: (function + 1) / 2)
                guard let weights = ring.harmonic(function) else { break }
                var harmonic = Complex(0)
                for (channel, pressure) in microphones.enumerated() { harmonic = harmonic + Double(weights[channel]) * pressure }
                for i in 0..<count {
                    var response = Complex(0)
                    for tap in 0..<ElevationFilters.taps {
                        let samples = (tap - ElevationFilters.taps + 1 + ElevationFilters.ahead) * ring.elevationStride
                        let phase = Complex(magnitude: 1, phase: turn * Double(samples))
                        response = response + Double(ring.elevationFilter(term + i)[tap]) * phase
                    }
                    heard = heard + Double(memory[Taps.row(.ringElevation, row + i)]) * harmonic * response
                }
                row += count
                if function % 2 == 0 { term += count }
            }
            let exact = pressure(cos(elevation * .pi / 180) * cosine(ear))
            difference += pow((heard - exact).magnitude, 2)
            power += pow(exact.magnitude, 2)
        }
        return 10 * log10(difference / power)
    }

    /// Sizes of 250, 800 and 1500 Hz at a radius of 8.75 cm. Without the rows, the error is that of the azimuth alone.
    @Test(arguments: cases)
    func earsAreHeardAtTheirElevation(_ setting: Case) {
        for (size, limit) in [(0.4, -24.0), (1.28, -19), (2.4, -15)] {
            for elevation in [15.0, 45, 60, 90] {
                let found = error(setting, size: size, elevation: elevation)
                #expect(found < limit, "\(setting), size \(size), \(elevation) degrees: \(found) dB")
            }
            let before = error(setting, size: size, elevation: 45, isCorrected: false)
            #expect(before > error(setting, size: size, elevation: 45) + 10)
        }
    }

    @Test func uprightHeadsHaveNoWeights() {
        #expect(ElevationFilters.heard(0) == 0 && ElevationFilters.heard(3) == 0 && ElevationFilters.heard(-2.9) == 0)
        #expect(ElevationFilters.heard(-45) == 45 && ElevationFilters.heard(6) == 6 && ElevationFilters.heard(4.5) == 3)
        #expect(ElevationFilters.heard(120) == 90)
    }

    @Test func rowsAndTermsAreCounted() {
        let counts = (0...ElevationTerms.orders).map(ElevationTerms.count(order:))
        #expect(counts == (0...ElevationTerms.orders).map { ElevationTerms.degrees(order: $0).count })
        #expect(counts.reduce(0, +) == ElevationTerms.count)
        #expect(2 * counts.reduce(0, +) - counts[0] == ElevationTerms.rows)
        #expect(ElevationTerms.rows <= MicrophoneArray.capacity)
    }

    /// Ears of a rolled head: the left one is up when the head leans to the right.
    @Test func elevationsFollowTheHead() {
        let half = Float(45) / 2 * .pi / 180
        let rolled = Ears.elevations(head: SIMD4(cos(half), sin(half), 0, 0), nose: SIMD2(0, 1), least: 0.01)
        #expect(abs(rolled[0] - 45) < 0.01 && abs(rolled[1] + 45) < 0.01)
        // Pitch alone leaves ears on the axis where they are, and moves ears in front of it.
        let pitched = SIMD4(cos(half), 0, -sin(half), 0)
        #expect(Ears.elevations(head: pitched, nose: SIMD2(0, 1), least: 0.01) == .zero)
        let forward = Ears.elevations(head: pitched, nose: SIMD2(0.5, Float(0.75).squareRoot()), least: 0.01)
        #expect(abs(forward[0] - 20.7048) < 0.01 && abs(forward[1] - 20.7048) < 0.01)
    }
}
