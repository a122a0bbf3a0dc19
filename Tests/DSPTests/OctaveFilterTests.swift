import DSP
import Foundation
import TestSupport
import Testing

/// Filters by octaves and moving delays, compared with formulas.
@Suite struct OctaveFilterTests {
    /// Level of a filter's impulse response at a frequency, decibels.
    private static func level(_ filter: OctaveFilter, _ hertz: Double, rate: Double) -> Double {
        var row = [Float](repeating: 0, count: 32_768)
        row[0] = 1
        var state = OctaveFilterState()
        state.process(&row, frames: row.count, from: filter, to: filter)
        var (re, im) = (0.0, 0.0)
        for (n, sample) in row.enumerated() {
            re += Double(sample) * cos(2 * .pi * hertz * Double(n) / rate)
            im -= Double(sample) * sin(2 * .pi * hertz * Double(n) / rate)
        }
        return 10 * log10(re * re + im * im)
    }

    private static let wanted: [[Float]] = [
        [0, 0, 0, 0, 0, 0, 0, 0], [-0.1, -0.3, -1, -2, -4, -8, -16, -40], [-6, -1, -6, -1, -6, -1, -6, -1],
        [-20, -12, -7, -3, -2, -1, -0.5, -0.5], [-0.02, -0.06, -0.14, -0.24, -0.5, -1.5, -5.2, -17], [-1, -2, -3, -4, -5, -6, -7, -8],
    ]

    @Test(arguments: [44_100, 48_000, 96_000] as [Float], wanted)
    func levelsAreThoseWantedInEveryOctave(_ rate: Float, _ decibels: [Float]) {
        var levels = SIMD8<Float>.zero
        for band in 0..<8 { levels[band] = decibels[band] }
        let filter = OctaveDesign(rate: rate).filter(levels)
        for band in 0..<7 {
            let found = Self.level(filter, Double(OctaveFilter.centres[band]), rate: Double(rate))
            #expect(abs(found - Double(levels[band])) < 0.05, "\(OctaveFilter.centres[band]) Hz at \(rate): \(found), \(levels[band])")
        }
    }

    @Test(arguments: [8000, 22_050] as [Float]) func lowRatesLeaveOutWhatTheyLack(_ rate: Float) {
        let filter = OctaveDesign(rate: rate).filter(SIMD8(-1, -2, -3, -4, -5, -6, -7, -8))
        for band in 0..<5 where OctaveFilter.centres[band] < 0.42 * rate {
            let found = Self.level(filter, Double(OctaveFilter.centres[band]), rate: Double(rate))
            #expect(abs(found + Double(band + 1)) < 0.05, "\(OctaveFilter.centres[band]) Hz: \(found)")
        }
    }

    /// A tone through a delay that grows: compared with the sine at the delayed time.
    @Test(arguments: [300, 1000, 5000, 12_000, 18_000] as [Double], [0, 10, -10, 50] as [Double])
    func movingDelaysAreThoseOfTheFormula(_ hertz: Double, _ speed: Double) {
        let (rate, frames) = (48_000.0, 64)
        var delay = MovingDelay(longest: 14_000, period: frames)
        let taps = SincTaps()
        let slope = speed / 343
        var (now, worst, power) = (5000.25, 0.0, 0.0)
        var output = [Float](repeating: 0, count: frames)
        for block in 0..<400 {
            let input = (0..<frames).map { Float(sin(2 * .pi * hertz * Double(block * frames + $0) / rate)) }
            delay.write(input, frames: frames)
            let next = now + slope * Double(frames)
            delay.read(&output, frames: frames, from: now, to: next, taps: taps)
            if block > 120 {
                for i in 0..<frames {
                    let time = Double(block * frames + i) - (now + slope * Double(i + 1))
                    let error = Double(output[i]) - sin(2 * .pi * hertz * time / rate)
                    worst += error * error
                    power += 0.5
                }
            }
            now = next
        }
        let found = 10 * log10(worst / power)
        #expect(found < (hertz > 16_000 ? -60 : -80), "\(hertz) Hz at \(speed) m/s: \(found) dB")
    }

    /// A target that moves steadily is followed at its speed; a jump is not followed faster than allowed, and not overshot.
    @Test func followersKeepTheSpeed() {
        var follower = Follower(0)
        for step in 1...2000 { follower.advance(to: Double(step) * 0.01, seconds: 0.001, time: 0.04, fastest: 50) }
        #expect(abs(follower.value - (20 - 10 * 0.08)) < 0.02)
        let before = follower.value
        follower.advance(to: 20.01, seconds: 0.001, time: 0.04, fastest: 50)
        #expect(abs(follower.value - before - 0.01) < 1e-6)
        var (last, largest, fastest) = (follower.value, 0.0, 0.0)
        for _ in 0..<4000 {
            follower.advance(to: 100, seconds: 0.001, time: 0.04, fastest: 50)
            fastest = max(fastest, (follower.value - last) / 0.001)
            last = follower.value
            largest = max(largest, last)
        }
        #expect(fastest < 50.001 && largest <= 100.001 && abs(last - 100) < 1e-4, "\(fastest) \(largest) \(last)")
    }
}
