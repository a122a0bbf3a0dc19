import Binaural
import Crossing
import DSP
import Foundation
import Pose
import Render
import RenderInterface
import TestSupport
import Testing

/// A tone on a rigid sphere stays a tone, at rest and while the head turns.
@Suite struct TurningToneTests {
    static let length = 65_536

    /// Renders a tone from azimuth 20 and returns the energy more than 50 Hz beside it, dB relative to all, in the worse ear.
    ///
    /// - Parameters:
    ///   - bank: filters of the method `hrtf`.
    ///   - yaw: yaw at the end of a block, degrees, by the time in seconds.
    ///   - roll: the same for the roll.
    func besides(
        _ hertz: Double, _ method: InterpolationMethod, bank: FilterBank? = nil, roll: (Float) -> Float = { _ in 0 },
        yaw: (Float) -> Float
    ) -> Double {
        let array = MicrophoneArray.uniform(count: 16)
        let modes = Sphere(radius: 0.0875).modes(frequency: hertz)
        let waves = array.azimuthList.map { modes.pressure(cosine: cos((Double($0) - 20) * .pi / 180)) }
        var harness = RenderHarness(array: array, method: method)
        var filters = harness.lines.listeners[0].hrtf.take()
        if let bank { _ = filters.send(HRTFSet(bank)) }
        harness.play(frames: 100_000) { channel, frame in
            let phase = 2 * .pi * hertz * Double(frame) / 48_000 + waves[channel].phase
            return Float(0.25 * waves[channel].magnitude * cos(phase))
        }
        harness.render(
            blocks: 1500,
            before: { block, inlet in
                let time = Float(block) / 750
                inlet.send(yaw: yaw(time), pitch: 0, roll: roll(time), receiveTime: 1)
            })
        return [harness.left, harness.right].map { besides(hertz, $0) }.max()!
    }

    private func besides(_ hertz: Double, _ sound: [Float]) -> Double {
        let transform = FourierTransform(count: Self.length)
        let time = UnsafeMutablePointer<Float>.allocateAligned(Self.length)
        let spectrum = UnsafeMutablePointer<Float>.allocateAligned(2 * transform.bins)
        defer {
            time.deallocate()
            spectrum.deallocate()
        }
        for i in 0..<Self.length {
            time[i] = Self.window[i] * sound[20_000 + i]
        }
        transform.forward(time, into: spectrum)
        var (beside, all) = (0.0, 0.0)
        for bin in 0..<transform.bins {
            let power = pow(Double(spectrum[2 * bin]), 2) + pow(Double(spectrum[2 * bin + 1]), 2)
            all += power
            if abs(Double(bin) * 48_000 / Double(Self.length) - hertz) > 50 { beside += power }
        }
        return 10 * log10(beside / all)
    }

    /// The window of Kaiser with a shape of 24.
    private static let window: [Float] = {
        let cosines = (0..<64).map { (n: Int) -> Double in cos(Double.pi * (Double(n) + 0.5) / 64) }
        /// By the integral of exp(x cos t).
        func besselI0(_ x: Double) -> Double {
            var sum = 0.0
            for cosine in cosines { sum += exp(x * cosine) }
            return sum / 64
        }
        let middle = besselI0(24)
        return (0..<length).map { (i: Int) -> Float in
            let along = 2 * Double(i) / Double(length) - 1
            return Float(besselI0(24 * (1 - along * along).squareRoot()) / middle)
        }
    }()

    @Test(arguments: [4100.0, 5050, 6000, 6100, 8210])
    func spectralMethodsAddNothingToAToneAtRest(_ hertz: Double) {
        #expect(besides(hertz, .twoBandSpectral) { _ in 7 } < -90)
        #expect(besides(hertz, .ringSpectral) { _ in 7 } < -85)
    }

    /// 100 degrees a second. Negative control: one microphone after the other.
    @Test func aTurningHeadDoesNotModulateATone() {
        #expect(besides(6000, .ringSpectral) { 100 * $0 } < -55)
        #expect(besides(6000, .nearest) { 100 * $0 } > -45)
    }

    /// The filters of all turns share their phases up to 6.5 kHz. Negative control: above, they cannot.
    @Test func aTurningHeadWithAnHRTFDoesNotModulateATone() {
        let layout = HRTFLayout(.uniform(count: 16))
        let design = HRTFDesign(.sphere(radius: 0.095), layout, rate: 48_000)
        let bank = FilterBank(layout, design.frame, sets: (0..<layout.sets).map(design.taps))
        let levels = [2000.0, 4000, 6000, 9000].map { hertz in besides(hertz, .hrtf, bank: bank) { 100 * $0 } }
        print("hrtf, turning, at 2, 4, 6 and 9 kHz:", levels, "dB")
        #expect(levels[..<3].allSatisfy { $0 < -55 } && levels[3] > -45)
    }

    /// 100 degrees a second from one shoulder to the other and back.
    @Test(arguments: [700.0, 1900, 6000])
    func aRollingHeadDoesNotModulateATone(_ hertz: Double) {
        let level = besides(hertz, .ringSpectral, roll: { 45 - abs(90 - 100 * $0.truncatingRemainder(dividingBy: 1.8)) }) { _ in 7 }
        print("rolling at", hertz, "Hz:", level, "dB")
        #expect(level < -55)
    }

    /// An ear that passes straight up, where its azimuth jumps by half a turn. Negative control: by the azimuth alone.
    @Test(arguments: [(700.0, -75.0), (1900, -55), (6000, -33)])
    func anEarThatPassesTheTopIsCrossfaded(_ hertz: Double, _ limit: Double) {
        func level(_ method: InterpolationMethod) -> Double {
            besides(hertz, method, roll: { 90 + 30 * sin(100 / 30 * $0) }, yaw: { _ in 7 })
        }
        let found = level(.ringSpectral)
        print("passing the top at", hertz, "Hz:", found, "dB")
        #expect(found < limit)
        if hertz < 2000 { #expect(level(.ring) > -35) }
    }
}
