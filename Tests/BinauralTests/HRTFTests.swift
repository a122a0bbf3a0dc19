import Binaural
import DSP
import Foundation
import TestSupport
import Testing

/// Filters for ears that are known exactly: those of a sphere of another size than the array's.
@Suite struct HRTFTests {
    static let rate = 48_000.0
    static let array = MicrophoneArray.uniform(count: 16)
    static let sphere = Sphere(radius: 0.0875)

    /// Response at an ear to a horizontal plane wave through the filters of one set, without the filters' delay.
    func heard(_ taps: [Float], _ design: HRTFDesign, _ ear: Ear, set: Int, source: Double, _ frequency: Double) -> Complex {
        let layout = design.layout
        let count = layout.channels.count
        let yaw = Double(set) * layout.spacing
        let step = -2 * .pi * frequency / Self.rate
        let modes = Self.sphere.modes(frequency: frequency)
        var sum = Complex(0)
        for (place, azimuth) in layout.azimuths.enumerated() {
            let row = (ear == .left ? 0 : count) + place
            var (re, im) = (0.0, 0.0)
            for tap in 0..<design.frame.taps {
                let value = Double(taps[row * design.frame.taps + tap])
                let turn = step * Double(tap - design.frame.delay)
                re += value * cos(turn)
                im += value * sin(turn)
            }
            // Azimuth of the wave relative to the nose.
            sum = sum + Complex(re, im) * modes.pressure(cosine: cos((source + yaw - azimuth) * .pi / 180))
        }
        return sum
    }

    /// Level errors above 5 kHz, dB, and errors of the time between the ears by the phase from 200 to 1200 Hz,
    /// microseconds.
    func errors(_ design: HRTFDesign, _ head: SphereHead, set: Int) -> (levels: [Double], times: [Double]) {
        let taps = design.taps(set: set)
        var (levels, times) = ([Double](), [Double]())
        for source in stride(from: 4.0, to: 360, by: 30) {
            for ear in [Ear.left, .right] {
                for frequency in [5500.0, 7000, 9000, 11_500, 14_500] {
                    // A narrow band in place of one frequency, as ears resolve it.
                    let lines = (-2...2).map { frequency * (1 + 0.025 * Double($0)) }
                    func power(_ value: (Double) -> Complex) -> Double {
                        lines.reduce(0) { $0 + pow(value($1).magnitude, 2) }
                    }
                    levels.append(
                        10
                            * log10(
                                power { heard(taps, design, ear, set: set, source: source, $0) }
                                    / power { head.pressure(ear, azimuth: source, frequency: $0) }))
                }
            }
            var (sum, weight) = (0.0, 0.0)
            for frequency in stride(from: 200.0, through: 1200, by: 200) {
                let ears = [Ear.left, .right].map { heard(taps, design, $0, set: set, source: source, frequency) }
                let exact = [Ear.left, .right].map { head.pressure($0, azimuth: source, frequency: frequency) }
                let off = (ears[0] / exact[0]) / (ears[1] / exact[1])
                sum += off.phase * frequency
                weight += 2 * .pi * frequency * frequency
            }
            times.append(sum / weight * 1e6)
        }
        return (levels, times)
    }

    func mean(_ values: [Double]) -> Double { values.map(abs).reduce(0, +) / Double(values.count) }

    /// Bounds of the project: 15 us, 1.2 dB. Negative control: the same filters for a head 15 % smaller.
    @Test(arguments: [0.095, 0.08])
    func earsOfTheOtherSphereAreReproduced(_ radius: Double) {
        let head = SphereHead(radius: radius)
        let design = HRTFDesign(head.responses(), HRTFLayout(Self.array), rate: Self.rate)
        #expect(abs(design.measuredRadius - radius) < 0.001)
        let found = errors(design, head, set: 7)
        print("radius", radius, "level", mean(found.levels), "dB; time", found.times.map(abs).max()!, "us")
        #expect(mean(found.levels) <= 1.2)
        #expect(found.times.map(abs).max()! <= 15)
        let wrong = errors(design, SphereHead(radius: 0.85 * radius), set: 7)
        #expect(wrong.times.map(abs).max()! > 60)
    }

    /// Scaled from 0.08 to 0.095 m, a head has the delays of one of 0.095 m.
    @Test func headSizeIsScaled() {
        let design = HRTFDesign(
            SphereHead(radius: 0.08).responses(), HRTFLayout(Self.array), rate: Self.rate, headRadius: 0.095)
        let found = errors(design, SphereHead(radius: 0.095), set: 0)
        #expect(found.times.map(abs).max()! <= 15)
    }

    /// Level, delay and sample rate of the measurement have no effect.
    @Test func levelDelayAndRateOfTheMeasurementHaveNoEffect() {
        let head = SphereHead(radius: 0.095)
        let layout = HRTFLayout(.uniform(count: 8))
        let measured = head.responses()
        let plain = HRTFDesign(measured, layout, rate: Self.rate).taps(set: 1)
        let delays = [[Double]](repeating: .init(repeating: 33.5, count: measured.count), count: 2)
        let late = HeadResponses(
            rate: measured.rate, length: measured.length, azimuths: measured.azimuths, elevations: measured.elevations,
            left: measured.samples[0].map { 4 * $0 }, right: measured.samples[1].map { 4 * $0 }, delays: delays)
        let other = HRTFDesign(late, layout, rate: Self.rate).taps(set: 1)
        #expect(zip(plain, other).map { abs($0 - $1) }.max()! < 1e-3 * plain.map(abs).max()!)
        let slow = HRTFDesign(head.responses(rate: 44_100), layout, rate: Self.rate)
        #expect(mean(errors(slow, head, set: 1).levels) <= 1.2)
    }

    /// A uniform ring needs filters for one sector only. With a dead microphone it is uneven, and the dead one has no
    /// filters.
    @Test func layouts() {
        let uniform = HRTFLayout(Self.array)
        #expect(uniform.sectors == 16 && uniform.sets == 23)
        let dead = HRTFLayout(Self.array, calibration: Calibration(muted: (0..<16).map { $0 == 5 }))
        #expect(dead.sectors == 1 && dead.sets == 180 && dead.channels.count == 15 && !dead.channels.contains(5))
        #expect(uniform != dead && uniform == HRTFLayout(.uniform(count: 16)))
    }

    /// Each yaw selects the nearest set, with a hysteresis of a tenth of a step.
    @Test func eachYawSelectsTheNearestSet() {
        let layout = HRTFLayout(.uniform(count: 4))
        let frame = HRTFFrame(rate: 48_000)
        let silence = [[Float]](repeating: .init(repeating: 0, count: 8 * frame.taps), count: layout.sets)
        let bank = FilterBank(layout, frame, sets: silence)
        defer { withExtendedLifetime(bank) {} }
        let view = bank.view
        #expect(view.turn(0, present: -1) == 0 && view.turn(-0.4, present: -1) == 0 && view.turn(-1, present: 7) == 359)
        #expect(view.turn(10.55, present: 10) == 10 && view.turn(10.55, present: 11) == 11)
        #expect(view.turn(10.65, present: 10) == 11 && view.turn(10.45, present: 11) == 11)
        #expect(view.turn(359.55, present: 359) == 359 && view.turn(359.65, present: 359) == 0)
        // After a quarter turn the ring is the same with its channel numbers shifted by one microphone.
        #expect((0..<4).map { view.channel(turn: 5, place: $0) } == layout.channels)
        #expect((0..<4).map { view.channel(turn: 95, place: $0) } == [1, 2, 3, 0].map { layout.channels[$0] })
    }
}
