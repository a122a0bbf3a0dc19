import DSP
import Foundation
import Testing

/// The low-pass of anchors against the limits of ITU-R BS.1534, by the sum of the response at each frequency.
@Suite struct LowPassDesignTests {
    func gain(_ taps: [Float], _ frequency: Double, _ rate: Double) -> Double {
        var (real, imaginary) = (0.0, 0.0)
        for (place, tap) in taps.enumerated() {
            let angle = 2 * .pi * frequency * Double(place) / rate
            real += Double(tap) * cos(angle)
            imaginary -= Double(tap) * sin(angle)
        }
        return 10 * log10(max(real * real + imaginary * imaginary, 1e-20))
    }

    @Test(arguments: [3500.0, 7000], [44_100.0, 48_000, 96_000, 192_000]) func limits(edge: Double, rate: Double) {
        let taps = LowPassDesign.taps(edge: edge, rate: rate)
        #expect(taps.count % 2 == 1)
        let pass = stride(from: 0, through: edge, by: 10).map { abs(gain(taps, $0, rate)) }.max() ?? .infinity
        #expect(pass <= 0.1, "\(pass) dB")
        #expect(gain(taps, edge * 8 / 7, rate) <= -25)
        let stop = stride(from: edge * 9 / 7, through: rate / 2, by: 10).map { gain(taps, $0, rate) }.max() ?? 0
        #expect(stop <= -50, "\(stop) dB")
    }

    @Test func anEdgeNearHalfTheRateFiltersNothing() { #expect(LowPassDesign.taps(edge: 7000, rate: 16_000) == [1]) }
}
