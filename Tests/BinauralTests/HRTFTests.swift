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
                    // A narrow band instead of one frequency, as ears resolve it.
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

    /// The head's place among the sets moves evenly with the yaw; within a thousandth of a step it is exactly at a set.
    @Test func theYawIsAPlaceBetweenTwoSets() {
        let layout = HRTFLayout(.uniform(count: 4))
        let frame = HRTFFrame(rate: 48_000)
        let silence = [[Float]](repeating: .init(repeating: 0, count: 8 * frame.taps), count: layout.sets)
        let bank = FilterBank(layout, frame, sets: silence)
        defer { withExtendedLifetime(bank) {} }
        let view = bank.view
        for (yaw, turn, share) in [(Float(0), 0, Float(0)), (10.25, 10, 0.25), (-0.5, 359, 0.5), (359.75, 359, 0.75), (9.9999, 10, 0)] {
            let place = view.place(yaw)
            #expect(place.turn == turn && place.next == (turn + 1) % 360 && abs(place.share - share) < 1e-4)
            #expect(abs(place.share(turn) - (1 - share)) < 1e-4 && place.share(180) == 0)
        }
        // After a quarter turn the ring is the same with its channel numbers shifted by one microphone.
        #expect((0..<4).map { view.channel(turn: 5, place: $0) } == layout.channels)
        #expect((0..<4).map { view.channel(turn: 95, place: $0) } == [1, 2, 3, 0].map { layout.channels[$0] })
    }

    /// Filters change smoothly with the turn: each set is nearly the mean of its neighbours, in what is heard of a wave from
    /// any direction. This bounds the modulation of a tone while the head turns.
    @Test(arguments: [3000.0, 6000])
    func neighbouringSetsDifferLittle(_ frequency: Double) {
        let design = HRTFDesign(SphereHead(radius: 0.095).responses(), HRTFLayout(Self.array), rate: Self.rate)
        let sets = [7, 8, 9].map { design.taps(set: $0) }
        var (off, all) = (0.0, 0.0)
        for source in stride(from: 4.0, to: 360, by: 15) {
            for ear in [Ear.left, .right] {
                let heard = (0..<3).map { index in
                    // The same wave in the world.
                    let relative = source - Double(7 + index) * design.layout.spacing
                    return self.heard(sets[index], design, ear, set: 7 + index, source: relative, frequency)
                }
                off += pow((heard[1] - 0.5 * (heard[0] + heard[2])).magnitude, 2)
                all += pow(heard[1].magnitude, 2)
            }
        }
        print("neighbouring sets at", frequency, "Hz:", 10 * log10(off / all), "dB")
        #expect(10 * log10(off / all) < -35)
    }

    /// A head with an ear canal that resonates at 2.7 kHz.
    func canal(_ responses: HeadResponses) -> HeadResponses {
        let (w, a) = (2 * Double.pi * 2700 / responses.rate, pow(10, 14.0 / 40))
        let alpha = sin(w) / 3
        let (b0, b1, b2) = (1 + alpha * a, -2 * cos(w), 1 - alpha * a)
        let (a0, a2) = (1 + alpha / a, 1 - alpha / a)
        func filtered(_ samples: [Float]) -> [Float] {
            var result: [Float] = []
            for first in stride(from: 0, to: samples.count, by: responses.length) {
                var (x1, x2, y1, y2) = (0.0, 0.0, 0.0, 0.0)
                for sample in samples[first..<first + responses.length] {
                    let x = Double(sample)
                    let y = (b0 * x + b1 * x1 + b2 * x2 - b1 * y1 - a2 * y2) / a0
                    (x2, x1, y2, y1) = (x1, x, y1, y)
                    result.append(Float(y))
                }
            }
            return result
        }
        return HeadResponses(
            rate: responses.rate, length: responses.length, azimuths: responses.azimuths, elevations: responses.elevations,
            left: filtered(responses.samples[0]), right: filtered(responses.samples[1]))
    }

    /// Levels relative to the ears of a bare sphere, on the mean over sources and ears, dB: neutral has no resonance, and
    /// without an equalisation it is kept; the level on speech is that of the sphere within 1 dB in every case.
    @Test(arguments: HRTFEqualisation.allCases)
    func theEarCanalIsHeardWhenAskedFor(_ equalisation: HRTFEqualisation) {
        let head = SphereHead(radius: 0.0875)
        let design = HRTFDesign(
            canal(head.responses()), HRTFLayout(Self.array), rate: Self.rate, equalisation: equalisation)
        let taps = design.taps(set: 3)
        // Octave levels of speech, Byrne et al. 1994, with the K-weighting.
        let speech = [(125.0, 61.4), (250, 64.4), (500, 66.4), (1000, 60.1), (2000, 57.1), (4000, 54.8), (8000, 52.6)]
        func powers(_ frequency: Double) -> (heard: Double, due: Double) {
            var (heard, due) = (0.0, 0.0)
            for source in stride(from: 0.0, to: 360, by: 30) {
                for ear in [Ear.left, .right] {
                    heard += pow(self.heard(taps, design, ear, set: 3, source: source, frequency).magnitude, 2)
                    due += pow(head.pressure(ear, azimuth: source, frequency: frequency).magnitude, 2)
                }
            }
            return (heard, due)
        }
        func level(_ frequency: Double) -> Double {
            let powers = powers(frequency)
            return 10 * log10(powers.heard / powers.due)
        }
        let resonance = level(2700) - (level(700) + level(9000)) / 2
        var (loud, due) = (0.0, 0.0)
        for (centre, level) in speech {
            for octave in [-1.0 / 3, 0, 1.0 / 3] {
                let (a, b) = powers(centre * exp2(octave))
                loud += pow(10, level / 10) * a
                due += pow(10, level / 10) * b
            }
        }
        print(equalisation.name, "resonance", resonance, "dB; speech", 10 * log10(loud / due), "dB")
        #expect(abs(10 * log10(loud / due)) < 1)
        switch equalisation {
        case .neutral: #expect(abs(resonance) < 1.5)
        case .diffuseField: #expect(abs(resonance) < 3)
        case .none: #expect(resonance > 12)
        }
    }
}
