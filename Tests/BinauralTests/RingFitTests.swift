import Binaural
import DSP
import Foundation
import TestSupport
import Testing

/// Weights of the whole ring: level, error in decibels, and comparison with the closed form.
@Suite struct RingFitTests {
    func weights(_ ring: borrowing RingLookup, _ azimuth: Float) -> [Double] {
        let memory = UnsafeMutablePointer<Float>.allocate(capacity: Taps.rows)
        memory.initialize(repeating: 0, count: Taps.rows)
        defer { memory.deallocate() }
        var taps = Taps(weights: memory)
        ring.add(azimuth: azimuth, to: &taps, .ringLow)
        return (0..<ring.array.count).map { Double(memory[Taps.row(.ringLow, $0)]) }
    }

    func radians(_ degrees: Float) -> Double { Double(degrees) * .pi / 180 }

    /// sin(N D/2) / (N tan(D/2)), sin instead of tan for odd N.
    func closedForm(_ azimuth: Float, _ array: MicrophoneArray) -> [Double] {
        let n = Double(array.count)
        return array.azimuthList.map { place in
            let d = radians(azimuth - place)
            if abs(sin(d / 2)) < 1e-9 { return 1 }
            return sin(n * d / 2) / (n * (array.count % 2 == 0 ? tan(d / 2) : sin(d / 2)))
        }
    }

    @Test(arguments: [4, 5, 8, 15, 16, 24, 33, 64])
    func uniformRingsHaveTheClosedForm(_ count: Int) {
        let array = MicrophoneArray.uniform(count: count, first: 17)
        let ring = RingLookup(array)
        for azimuth in stride(from: Float(-179), to: 180, by: 7.3) {
            let found = weights(ring, azimuth)
            for (a, b) in zip(found, closedForm(azimuth, array)) { #expect(abs(a - b) < 2e-6 * Double(count)) }
            #expect(abs(found.reduce(0, +) - 1) < 1e-5)
            #expect(found.reduce(0) { $0 + $1 * $1 } <= 1 + 1e-5)
        }
    }

    /// Every field of circular harmonics below N/2 is reproduced exactly at any ear position.
    @Test(arguments: [(16, false), (15, false), (16, true)])
    func harmonicsAreReproduced(_ count: Int, _ isUneven: Bool) {
        var random = SeededRandom(fixed: 14)
        let step = 360 / Float(count)
        let azimuths = (0..<count).map {
            Float($0) * -step + (isUneven ? Float.random(in: -0.2...0.2, using: &random) * step : 0)
        }
        let array = MicrophoneArray(azimuths: azimuths, radius: 0.0875)
        let ring = RingLookup(array)
        for order in 0...(isUneven ? 3 : (count - 1) / 2) {
            for azimuth in stride(from: Float(-170), to: 180, by: 11.7) {
                let w = weights(ring, azimuth)
                for phase in [0.3, 1.9] {
                    func field(_ degrees: Float) -> Double { cos(Double(order) * radians(degrees) + phase) }
                    let heard = zip(w, array.azimuthList).reduce(0) { $0 + $1.0 * field($1.1) }
                    let isExact = order == 0 || !isUneven
                    #expect(abs(heard - field(azimuth)) < (isExact ? 1e-5 : 1e-3), "order \(order) at \(azimuth)")
                }
            }
        }
    }

    /// A nearly uniform ring is fitted by least squares; the fit matches the closed form within 0.5 %.
    @Test(arguments: [8, 15, 16, 36])
    func leastSquaresMeetsTheClosedForm(_ count: Int) {
        let uniform = MicrophoneArray.uniform(count: count)
        var azimuths = uniform.azimuthList
        azimuths[1] += 0.03
        let ring = RingLookup(MicrophoneArray(azimuths: azimuths, radius: 0.0875))
        for azimuth in stride(from: Float(-180), to: 180, by: 3.1) {
            for (a, b) in zip(weights(ring, azimuth), closedForm(azimuth, uniform)) { #expect(abs(a - b) < 0.005) }
        }
    }

    @Test func unevenAndBrokenRingsStayFinite() {
        var random = SeededRandom()
        for _ in 0..<40 {
            let count = Int.random(in: 4...64, using: &random)
            var azimuths: [Float] = []
            while azimuths.count < count {
                let azimuth = Float.random(in: -180...180, using: &random)
                if azimuths.allSatisfy({ abs(wrapDegrees($0 - azimuth)) > 0.01 }) { azimuths.append(azimuth) }
            }
            let muted = (0..<count).map { $0 > 1 && Bool.random(using: &random) }
            let ring = RingLookup(MicrophoneArray(azimuths: azimuths, radius: 0.0875), calibration: .init(muted: muted))
            for _ in 0..<20 {
                let w = weights(ring, Float.random(in: -180...180, using: &random))
                #expect(abs(w.reduce(0, +) - 1) < 1e-3)
                // Capsule noise grows by at most 6 dB, and slightly more between the positions of the table.
                #expect(w.reduce(0) { $0 + $1 * $1 } < 6)
                #expect(zip(w, muted).allSatisfy { !$0.1 || $0.0 == 0 })
            }
        }
    }

    /// Complex error against the exact pressure at the ear, dB, over ears and directions.
    func error(_ ring: borrowing RingLookup, hertz: Double, weights: (borrowing RingLookup, Float) -> [Double]) -> Double {
        let modes = Sphere(radius: 0.0875).modes(frequency: hertz)
        func pressure(_ degrees: Float) -> Complex { modes.pressure(cosine: cos(radians(degrees))) }
        var (difference, whole) = (0.0, 0.0)
        for source in stride(from: Float(2), to: 360, by: 24) {
            let heard = ring.array.azimuthList.map { pressure($0 - source) }
            for azimuth in stride(from: Float(90), to: 90 + 22.5, by: 2.8125) {
                let exact = pressure(azimuth - source)
                let sum = zip(weights(ring, azimuth), heard).reduce(Complex(0)) { $0 + $1.0 * $1.1 }
                difference += pow((sum - exact).magnitude, 2)
                whole += pow(exact.magnitude, 2)
            }
        }
        return 10 * log10(difference / whole)
    }

    @Test func theRingIsExactUpTo3700Hertz() {
        let ring = RingLookup(.uniform(count: 16))
        for hertz in [200.0, 1000, 2000, 3000, 3700] {
            let level = error(ring, hertz: hertz) { weights($0, $1) }
            #expect(level < -20, "\(level) dB at \(hertz) Hz")
        }
        #expect(error(ring, hertz: 2000) { weights($0, $1) } < -50)
        // Negative control: two neighbours alone.
        let linear = error(ring, hertz: 3000) { ring, azimuth in
            let bracket = ring.bracket(wrapDegrees(azimuth))
            var w = [Double](repeating: 0, count: ring.array.count)
            w[bracket.lower] = Double(1 - bracket.fraction)
            w[bracket.upper] += Double(bracket.fraction)
            return w
        }
        #expect(linear > -20)
    }

    /// The dead microphone is at the position of the ear.
    @Test func aDeadMicrophoneIsBridged() {
        let ring = RingLookup(.uniform(count: 16), calibration: .init(muted: (0..<16).map { $0 == 12 }))
        let levels = [500.0, 1000, 2000].map { hertz in error(ring, hertz: hertz) { weights($0, $1) } }
        #expect(levels[0] < -50 && levels[1] < -40 && levels[2] < -20, "\(levels)")
        let bracket = ring.bracket(91)
        #expect((bracket.lower, bracket.upper) == (13, 11))
        #expect(ring.standIn(12) == 13 || ring.standIn(12) == 11)
        #expect(ring.standIn(3) == 3)
    }
}
