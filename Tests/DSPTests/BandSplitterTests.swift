import DSP
import Foundation
import Testing

@Suite struct BandSplitterTests {
    /// Level and phase of both bands at one frequency, from the steady state of a complex tone.
    func response(crossover: Float, rate: Float, frequency: Double, channels: Int = 5) -> (low: Complex, high: Complex) {
        var splitter = BandSplitter()
        let frames = 4096
        let settle = 2048
        let coefficients = BandSplitter.Coefficients(crossover: crossover, rate: rate)
        let step = 2 * Double.pi * frequency / Double(rate)
        let stride = roundedToLanes(channels)
        var low = [Float](repeating: 0, count: frames * stride + 16)
        var high = low
        var bands = [Complex(0), Complex(0)]
        // Cosine and sine make one complex tone; the filter is linear and real.
        for quadrature in 0..<2 {
            splitter.reset()
            var input = [Float](repeating: 0, count: frames * channels + 16)
            for n in 0..<frames {
                let sample = quadrature == 0 ? cos(step * Double(n)) : sin(step * Double(n))
                input[n * channels + channels - 1] = Float(sample)
            }
            splitter.process(input, channels: channels, frames: frames, with: coefficients, low: &low, high: &high)
            for (band, samples) in [low, high].enumerated() {
                for n in settle..<frames {
                    let turned = Complex(cos(step * Double(n)), -sin(step * Double(n)))
                    let value = Double(samples[n * stride + channels - 1])
                    bands[band] = bands[band] + turned * (quadrature == 0 ? Complex(value) : Complex(0, value))
                }
            }
        }
        let share = 1 / Double(frames - settle)
        return (share * bands[0], share * bands[1])
    }

    @Test(arguments: [(Float(1248), Float(48_000)), (2496, 48_000), (5615, 44_100), (624, 96_000)])
    func bandsAreComplementary(_ crossover: Float, _ rate: Float) {
        for octave in stride(from: -3.0, through: 2.0, by: 0.5) {
            let frequency = Double(crossover) * exp2(octave)
            guard frequency < Double(rate) * 0.45, frequency > 200 else { continue }
            let (low, high) = response(crossover: crossover, rate: rate, frequency: frequency)
            #expect(abs(decibels((low + high).magnitude)) < 0.01, "sum at \(frequency) Hz")
            if octave == 0 {
                #expect(abs(decibels(low.magnitude) + 6.02) < 0.05)
                #expect(abs(decibels(high.magnitude) + 6.02) < 0.05)
                // Both bands are in phase, so that they add up.
                #expect((low / high).re > 0.999)
            }
            // 24 dB per octave: two octaves away, the other band is at least 40 dB down.
            if octave == 2 { #expect(decibels(low.magnitude) < -40) }
            if octave == -2 { #expect(decibels(high.magnitude) < -40) }
        }
    }

    @Test func channelsAreIndependent() {
        var splitter = BandSplitter()
        let channels = 20
        var input = [Float](repeating: 0, count: 64 * channels + 16)
        for n in 0..<64 { input[n * channels + 17] = 1 }
        var low = [Float](repeating: 0, count: 64 * 32 + 16)
        var high = low
        splitter.process(
            input, channels: channels, frames: 64, with: .init(crossover: 2500, rate: 48_000), low: &low, high: &high)
        for channel in 0..<channels where channel != 17 {
            #expect((0..<64).allSatisfy { low[$0 * 32 + channel] == 0 && high[$0 * 32 + channel] == 0 })
        }
        #expect(abs(low[63 * 32 + 17] - 1) < 0.2)
    }
}

func decibels(_ magnitude: Double) -> Double { 20 * log10(max(magnitude, 1e-12)) }
