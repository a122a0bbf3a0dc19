import Binaural
import Crossing
import DSP
import Foundation
import Parameters
import Pose
import Render
import RenderInterface
import TestSupport
import Testing

/// Properties of each method: levels relative to the exact pressure, alignment, latency, noise in motion.
@Suite struct MethodTests {
    func sine(_ hertz: Float, _ frame: Int, phase: Float = 0) -> Float {
        sinf(2 * .pi * hertz * Float(frame) / 48_000 + phase)
    }

    /// Level errors per band in dB for several sources and head orientations through the renderer.
    func errors(_ method: InterpolationMethod) -> [Double] {
        let scene = SphereScene.shared
        var errors: [Double] = []
        // Ears are 90 degrees, 32 steps, to both sides; sectors are 8 steps wide.
        for (source, yaw) in [(3, 1), (20, 2), (41, 3), (58, 12), (77, 5), (94, 22), (110, 7), (127, 8)] {
            let period = scene.recording(source: source)
            var harness = RenderHarness(method: method)
            harness.play(frames: 3 * SphereScene.length) { period[$0][$1 % SphereScene.length] }
            harness.inlet.send(yaw: Float(yaw) * 360 / 128, pitch: 0, roll: 0, receiveTime: 1)
            harness.render(blocks: 2 * SphereScene.length / 64)
            for (ear, place) in [(harness.left, yaw + 32), (harness.right, yaw - 32)] {
                let heard = scene.bands(ear.suffix(SphereScene.length))
                errors += zip(heard, scene.exact(place: place, source: source)).map { 10 * log10($0 / $1) }
            }
        }
        return errors
    }

    /// Mean over ERB bands and 95th percentile in dB. The bounds are the project's for N = 16; nearest and linear are
    /// negative controls.
    @Test(arguments: [(InterpolationMethod.twoBandSpectral, 0.50, 2.1), (.ringSpectral, 0.35, 1.6)])
    func levelsFollowTheExactPressure(_ method: InterpolationMethod, _ mean: Double, _ percentile: Double) {
        let sizes = errors(method).map { abs($0) }.sorted()
        let found = (sizes.reduce(0, +) / Double(sizes.count), sizes[sizes.count * 95 / 100])
        print(method.name, "mean", found.0, "p95", found.1)
        #expect(found.0 <= mean && found.1 <= percentile, "\(method.name): \(found)")
    }

    @Test func linearIsWorse() {
        let sizes = errors(.linear).map { abs($0) }
        #expect(sizes.reduce(0, +) / Double(sizes.count) > 1)
    }

    /// A source with equal signals at all microphones has the same output from the spectral methods as from the others,
    /// delayed by the declared latency, both bands together, for any block size.
    @Test(arguments: [16, 64, 100, 480, 1000, 8192])
    func spectralMethodsAreTheOthersLater(_ period: Int) {
        func noise(_ frame: Int) -> Float { Float((frame &* 7919 &+ frame &* frame &* 104_729) % 1000) / 1000 - 0.5 }
        for (spectral, other) in [(InterpolationMethod.twoBandSpectral, InterpolationMethod.twoBand), (.ringSpectral, .ring)] {
            let ears = [spectral, other].map { method in
                var harness = RenderHarness(method: method, period: period)
                harness.play(frames: 20_000) { _, frame in noise(frame) }
                harness.inlet.send(yaw: 8, pitch: 0, roll: 0, receiveTime: 1)
                harness.render(blocks: 16_384 / period)
                return harness.left
            }
            let late = spectral.latency(rate: 48_000)
            #expect(late > 0 && late <= 256 && other.latency(rate: 48_000) == 0)
            var worst: Float = 0
            for frame in late..<ears[0].count { worst = max(worst, abs(ears[0][frame] - ears[1][frame - late])) }
            #expect(worst < 2e-5, "\(spectral.name), period \(period): \(worst)")
        }
    }

    @Test func theLatencyIsReported() {
        var harness = RenderHarness(method: .ringSpectral)
        var meters = harness.lines.listeners[0].meters.take()
        harness.play(frames: 6400) { _, _ in 0 }
        harness.render(blocks: 40)
        var latency: Int32 = 0
        while let frame = meters.pop() { latency = frame.latency }
        #expect(Int(latency) == InterpolationMethod.ringSpectral.latency(rate: 48_000))
    }

    /// The pose is read when frames are assembled: a turn is audible in the block that receives it, within one hop.
    @Test func aTurnIsHeardWithinOneHop() {
        let ears = [false, true].map { turns in
            var harness = RenderHarness(method: .ringSpectral)
            // Only channel 12, to the left of the head, has sound.
            harness.play(frames: 9600) { channel, frame in channel == 12 ? sine(8000, frame) : 0 }
            harness.render(blocks: 100)
            if turns { harness.inlet.send(yaw: 90, pitch: 0, roll: 0, receiveTime: 1) }
            harness.render(blocks: 20)
            return harness.left
        }
        let change = zip(ears[0][6400..<7680], ears[1][6400..<7680]).map { abs($0 - $1) }
        #expect(change[..<64].max()! > 0.05)
        #expect(change[64..<192].max()! > 0.5)
    }

    /// Power apart from the tone, in dB relative to the tone.
    func splatter(_ signal: ArraySlice<Float>, tone: Double) -> Double {
        let count = 8192
        let transform = FourierTransform(count: count)
        let (time, spectrum) = (
            UnsafeMutablePointer<Float>.allocateAligned(count), UnsafeMutablePointer<Float>.allocateAligned(2 * transform.bins)
        )
        defer {
            time.deallocate()
            spectrum.deallocate()
        }
        var (inside, outside) = (0.0, 0.0)
        for start in stride(from: signal.startIndex, through: signal.endIndex - count, by: count / 2) {
            for i in 0..<count {
                let window = 0.5 - 0.5 * cos(2 * .pi * Double(i) / Double(count))
                time[i] = signal[start + i] * Float(window * window)
            }
            transform.forward(time, into: spectrum)
            for bin in 0..<transform.bins {
                let power = pow(Double(spectrum[2 * bin]), 2) + pow(Double(spectrum[2 * bin + 1]), 2)
                if abs(Double(bin) * 48_000 / Double(count) - tone) < 1500 { inside += power } else { outside += power }
            }
        }
        return 10 * log10(outside / inside)
    }

    /// 180 degrees per second in a plane wave of 6 kHz, above every crossover, where neighbours differ by most of a
    /// period: no method moves a thousandth of its power to other frequencies. The negative control does not crossfade.
    @Test(arguments: InterpolationMethod.allCases)
    func turningInAHighToneDoesNotSplatter(_ method: InterpolationMethod) {
        func wave(_ channel: Int, _ frame: Int) -> Float {
            sine(6000, frame % 8, phase: 2 * .pi * 6000 * 0.0875 * cos(Float(channel) * .pi / 8) / 343)
        }
        var harness = RenderHarness(method: method)
        harness.play(frames: 96_000, wave)
        harness.render(
            blocks: 1000,
            before: { block, inlet in
                inlet.send(yaw: 180 * Float(block) * 64 / 48_000, pitch: 0, roll: 0, receiveTime: 1)
            })
        let level = splatter(harness.left[4000...], tone: 6000)
        print(method.name, "splatter", level)
        #expect(level < -60, "\(method.name): \(level) dB")
        let hard = (0..<64_000).map { frame in
            wave((160 - Int(((90 + 180 * Float(frame) / 48_000) / 22.5).rounded())) % 16, frame)
        }
        #expect(splatter(hard[4000...], tone: 6000) > -50)
    }

    @Test func anyMethodCrossfadesToAnyOther() {
        func wave(_ channel: Int, _ frame: Int) -> Float { sine(400, frame, phase: Float(channel) * .pi / 8) }
        func roughness(_ signal: ArraySlice<Float>) -> Float {
            zip(zip(signal, signal.dropFirst()), signal.dropFirst(2)).map { abs($0.0 - 2 * $0.1 + $1) }.max()!
        }
        var harness = RenderHarness(method: .nearest)
        harness.play(frames: 130_000, wave)
        harness.inlet.send(yaw: 5, pitch: 0, roll: 0, receiveTime: 1)
        harness.render(blocks: 40)
        var blocks = 40
        for from in InterpolationMethod.allCases {
            for to in InterpolationMethod.allCases where to != from {
                for method in [from, to] {
                    harness.set(ListenerParameter.method, Float(method.rawValue))
                    // Alternately longer and shorter than the crossfade.
                    let length = blocks % 3 == 0 ? 7 : 18
                    harness.render(blocks: length)
                    blocks += length
                }
            }
        }
        let own = roughness((0..<1000).map { wave(0, $0) }[...])
        #expect(roughness(harness.left[2000..<min(blocks * 64, 129_000)]) < 3 * own)
    }

    /// Above the crossover, both ears receive the selected microphone.
    @Test func theFixedMicrophoneIsChosen() {
        var harness = RenderHarness(method: .twoBandFixed)
        harness.play(frames: 30_000) { channel, frame in channel == 6 ? sine(9000, frame) : 0 }
        harness.render(blocks: 100)
        #expect(harness.left.suffix(640).map(abs).max()! < 1e-3)
        harness.set(ListenerParameter.fixedMicrophone, 7)
        harness.render(blocks: 200)
        for ear in [harness.left, harness.right] { #expect(abs(ear.suffix(640).map(abs).max()! - 1) < 0.01) }
    }

    /// The automatic crossover is 2.5 kHz; a manual one can be anywhere, and changing it makes no click.
    @Test func theCrossoverIsSetByHand() {
        var harness = RenderHarness(method: .twoBandFixed)
        // Only the fixed microphone, behind the left ear, has sound: the high band is heard.
        harness.play(frames: 60_000) { channel, frame in channel == 4 ? sine(1000, frame) : 0 }
        harness.set(ListenerParameter.fixedMicrophone, 5)
        harness.render(blocks: 150)
        #expect(harness.left.suffix(1000).map(abs).max()! < 0.05)
        harness.set(ArraySetting.crossover, 300)
        harness.render(blocks: 300)
        #expect(harness.left.suffix(1000).map(abs).max()! > 0.95)
        let steps = zip(harness.left, harness.left.dropFirst()).map { abs($0 - $1) }.max()!
        #expect(steps < 2 * .pi * 1000 / 48_000 * 1.1)
    }
}
