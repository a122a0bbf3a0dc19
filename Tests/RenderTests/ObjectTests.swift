import Binaural
import Crossing
import DSP
import Foundation
import Parameters
import Pose
import Render
import RenderCore
import TestSupport
import Testing

/// Sound objects at both ears, without a recording unless a test plays one.
@Suite struct ObjectTests {
    static let rate = 48_000.0
    /// Frames of a sound that starts with an impulse; longer than the ears' filters.
    static let length = 1024

    static func scene(objects: Int = 1, listeners: Int = 1, clip: InputClip? = nil) -> RenderHarness {
        RenderHarness(method: .nearest, listeners: listeners, clip: clip, objects: objects)
    }

    static var impulse: [Float] { [1] + [Float](repeating: 0, count: length - 1) }

    static func sine(_ frequency: Double, frames: Int = 4800) -> [Float] {
        (0..<frames).map { Float(0.5 * sin(2 * .pi * frequency * Double($0) / rate)) }
    }

    /// Both ears over one period of an impulse, after everything has settled.
    static func responses(azimuth: Float, elevation: Float = 0, yaw: Float = 0, earAzimuth: Float = 90) -> (left: [Float], right: [Float]) {
        var harness = scene()
        _ = harness.sounds.send(ObjectSound(object: 0, mono: impulse))
        harness.set(ObjectParameter.azimuth, azimuth)
        harness.set(ObjectParameter.elevation, elevation)
        harness.set(ListenerParameter.earAzimuth, earAzimuth)
        harness.inlet.send(yaw: yaw, pitch: 0, roll: 0, receiveTime: 1)
        harness.render(blocks: 4 * length / 64)
        return (Array(harness.left.suffix(length)), Array(harness.right.suffix(length)))
    }

    /// Spectrum of one period at one line.
    static func spectrum(_ response: [Float], _ line: Int) -> Complex {
        response.enumerated().reduce(Complex(0)) { sum, each in
            sum + Complex(magnitude: Double(each.element), phase: -2 * .pi * Double(line * each.offset % length) / Double(length))
        }
    }

    static func frequency(_ line: Int) -> Double { rate * Double(line) / Double(length) }

    /// Delay of the right ear in microseconds, from the phases at two lines.
    static func groupDelay(_ left: [Float], _ right: [Float], _ low: Int, _ high: Int) -> Double {
        func phase(_ line: Int) -> Double {
            let (l, r) = (spectrum(left, line), spectrum(right, line))
            return atan2(r.im * l.re - r.re * l.im, r.re * l.re + r.im * l.im)
        }
        var turned = phase(high) - phase(low)
        turned -= 2 * .pi * (turned / (2 * .pi)).rounded()
        return -turned / (2 * .pi * (frequency(high) - frequency(low))) * 1e6
    }

    /// Woodworth's interaural delay, and the sphere's series at low frequencies.
    @Test(arguments: [0, 15, 30, 45, 60, 75, 90, 120, 150, 180] as [Double])
    func delaysAreThoseOfTheSphere(_ azimuth: Double) {
        let (left, right) = Self.responses(azimuth: Float(azimuth))
        let radius = 0.0875, ahead = min(azimuth, 180 - azimuth) * .pi / 180
        let woodworth = radius / 343 * (ahead + sin(ahead)) * 1e6
        // Adjacent lines at high frequencies, where first-order filters have no delay.
        let high = Self.groupDelay(left, right, 300, 303)
        #expect(abs(high - woodworth) < 8, "\(azimuth) degrees: \(high) us, Woodworth \(woodworth) us")
        let head = SphereHead(radius: radius)
        let line = 6
        let (l, r) = (Self.spectrum(left, line), Self.spectrum(right, line))
        let wanted = (
            head.pressure(.left, azimuth: azimuth, frequency: Self.frequency(line)),
            head.pressure(.right, azimuth: azimuth, frequency: Self.frequency(line))
        )
        func lag(_ l: Complex, _ r: Complex) -> Double {
            -atan2(r.im * l.re - r.re * l.im, r.re * l.re + r.im * l.im) / (2 * .pi * Self.frequency(line)) * 1e6
        }
        let (low, exact) = (lag(l, r), lag(wanted.0, wanted.1))
        #expect(abs(low - exact) < 60, "\(azimuth) degrees: \(low) us, sphere \(exact) us")
    }

    /// Levels compared with the sphere's series, 0.2 to 16 kHz.
    @Test func levelsAreThoseOfTheSphere() {
        let head = SphereHead(radius: 0.0875)
        var (lit, all): ([Double], [Double]) = ([], [])
        for azimuth in stride(from: 0.0, through: 180, by: 15) {
            let (left, right) = Self.responses(azimuth: Float(azimuth))
            for line in [4, 6, 9, 13, 19, 28, 40, 60, 85, 120, 170, 240, 341] {
                for (ear, response) in [(Ear.left, left), (Ear.right, right)] {
                    let exact = head.pressure(ear, azimuth: azimuth, frequency: Self.frequency(line)).magnitude
                    let error = abs(20 * log10(Self.spectrum(response, line).magnitude / exact))
                    all.append(error)
                    if abs(azimuth - Double(ear.azimuth)) <= 100 { lit.append(error) }
                }
            }
        }
        func mean(_ errors: [Double]) -> Double { errors.reduce(0, +) / Double(errors.count) }
        let report = "lit: mean \(mean(lit)) dB, worst \(lit.max()!) dB; all: mean \(mean(all)) dB, worst \(all.max()!) dB"
        print("sound objects against the sphere,", report)
        #expect(mean(lit) < 0.5 && lit.max()! < 2.2, "\(report)")
        #expect(mean(all) < 0.9 && all.max()! < 14, "\(report)")
    }

    @Test func leftIsTheMirrorOfRight() {
        for (azimuth, elevation) in [(20, 0), (70, 30), (135, -60)] as [(Float, Float)] {
            let (left, right) = Self.responses(azimuth: azimuth, elevation: elevation)
            let mirrored = Self.responses(azimuth: -azimuth, elevation: elevation)
            #expect(Self.largest(left, mirrored.right) < 1e-5 && Self.largest(right, mirrored.left) < 1e-5)
            #expect(Self.largest(left, right) > 0.05)
        }
        // An object straight above has no interaural difference.
        let up = Self.responses(azimuth: 0, elevation: 90)
        #expect(Self.largest(up.left, up.right) < 1e-5)
    }

    static func largest(_ a: [Float], _ b: [Float]) -> Float { zip(a, b).map { abs($0 - $1) }.max()! }
    static func energy(_ samples: some Sequence<Float>) -> Double { samples.reduce(0) { $0 + Double($1 * $1) } }

    /// Turning the head to the left moves an object in front to the right.
    @Test func turningTheHeadTurnsObjectsTheOtherWay() {
        let turned = Self.responses(azimuth: 10, yaw: 40)
        let moved = Self.responses(azimuth: -30)
        #expect(Self.largest(turned.left, moved.left) < 1e-4 && Self.largest(turned.right, moved.right) < 1e-4)
        let (left, right) = Self.responses(azimuth: 0, yaw: 90)
        #expect(Self.energy(right) > 2 * Self.energy(left))
    }

    @Test func theLevelFallsWithDistance() {
        func level(_ distance: Float, gain: Float = 0) -> Double {
            var harness = Self.scene()
            _ = harness.sounds.send(ObjectSound(object: 0, mono: Self.sine(500)))
            harness.set(ObjectParameter.distance, distance)
            harness.set(ObjectParameter.gain, gain)
            harness.render(blocks: 300)
            return 10 * log10(Self.energy(harness.left.suffix(4800)))
        }
        let one = level(1)
        for (distance, wanted) in [(2, -6.02), (10, -20), (0.5, 6.02), (0.2, 13.98), (0.1, 13.98)] as [(Float, Double)] {
            #expect(abs(level(distance) - one - wanted) < 0.02, "\(distance) m")
        }
        #expect(abs(level(1, gain: -12) - one + 12) < 0.02)
    }

    @Test func mutedAndPausedAreSilent() {
        var harness = Self.scene(objects: 2)
        harness.render(blocks: 50)
        #expect(harness.left.allSatisfy { $0 == 0 }, "objects without a sound")
        _ = harness.sounds.send(ObjectSound(object: 1, mono: Self.sine(500)))
        harness.render(blocks: 200)
        #expect(Self.energy(harness.left.suffix(640)) > 1)
        harness.set(ObjectParameter.mute, 1, of: 1)
        harness.render(blocks: 400)
        #expect(harness.left.suffix(640).allSatisfy { $0 == 0 })
        harness.set(ObjectParameter.mute, 0, of: 1)
        harness.render(blocks: 200)
        #expect(Self.energy(harness.left.suffix(640)) > 1)
        harness.set(TransportParameter.state, 2)
        harness.render(blocks: 100)
        #expect(harness.left.suffix(640).allSatisfy { $0 == 0 })
        harness.set(TransportParameter.state, 1)
        _ = harness.sounds.send(ObjectSound(object: 1, channel: nil))
        harness.render(blocks: 100)
        #expect(harness.left.suffix(640).allSatisfy { $0 == 0 }, "the sound was taken away")
    }

    /// Jumps do not click: their addition to the sine stays 20 dB below that of a splice.
    @Test(arguments: ["azimuth", "distance", "mute", "sound", "yaw"])
    func jumpsDoNotClick(_ what: String) {
        var harness = Self.scene()
        _ = harness.sounds.send(ObjectSound(object: 0, mono: Self.sine(500)))
        harness.set(ObjectParameter.azimuth, 80)
        harness.render(blocks: 300)
        switch what {
        case "azimuth": harness.set(ObjectParameter.azimuth, -80)
        case "distance": harness.set(ObjectParameter.distance, 20)
        case "mute": harness.set(ObjectParameter.mute, 1)
        case "sound": _ = harness.sounds.send(ObjectSound(object: 0, mono: Self.sine(1000)))
        default: harness.inlet.send(yaw: 170, pitch: 0, roll: 0, receiveTime: 1)
        }
        harness.render(blocks: 300)
        // A splice of the signals before and after, at a peak of the sine.
        let (sound, cut) = (harness.left, 300 * 64)
        let peak = sound[(cut - 96)..<cut].indices.max { sound[$0] < sound[$1] }!
        let low = sound.indices.suffix(2000).dropLast(10).min { sound[$0] < sound[$1] }!
        let splice = sound[(peak - 10)...peak] + sound[low..<(low + 10)]
        func roughest(_ samples: some Sequence<Float>) -> Double {
            let x = samples.map(Double.init)
            var largest = 0.0
            for i in 3..<x.count {
                let third: Double = x[i] - x[i - 3] - 3 * (x[i - 1] - x[i - 2])
                largest = max(largest, abs(third))
            }
            return largest
        }
        let (jump, spliced) = (roughest(sound[(cut - 200)..<(cut + 3000)]), roughest(splice))
        #expect(20 * log10(jump / spliced) < -20, "\(what): \(20 * log10(jump / spliced)) dB")
    }

    @Test func everyListenerHearsWithTheirOwnHead() {
        var harness = Self.scene(listeners: 3)
        _ = harness.sounds.send(ObjectSound(object: 0, mono: Self.sine(2000)))
        harness.inlet.send(yaw: 60, pitch: 0, roll: 0, receiveTime: 1)
        let ears = (0..<3).map { index -> Parcel<FrameRing.Consumer> in
            harness.lines.listeners[index].isHeard.take().set(true)
            return harness.lines.listeners[index].ears
        }
        harness.set(ListenerParameter.earAzimuth, 110, of: 2)
        harness.render(blocks: 200)
        let heard = ears.map { parcel -> [Float] in
            var consumer = parcel.take()
            var samples = [Float](repeating: 0, count: 2 * 12_800)
            let count = consumer.read(&samples, frames: 12_800)
            return Array(samples[..<(2 * count)].suffix(4000))
        }
        #expect(Self.largest(heard[0], heard[1]) > 0.1 && Self.largest(heard[1], heard[2]) > 0.01)
    }

    /// A channel of the live input is heard at its object's position only.
    @Test func aChannelOfTheInputStandsInTheRoom() {
        let tone = (0..<4800).map { (frame: Int) -> Float in Float(0.5 * sin(2 * Double.pi * 1000 * Double(frame) / Self.rate)) }
        let clip = tone.flatMap { [$0, 0.25] as [Float] }
        var harness = Self.scene(clip: InputClip(interleaved: clip))
        harness.set(TransportParameter.state, 0)
        harness.set(ObjectParameter.azimuth, -90)
        harness.render(blocks: 100)
        #expect(abs(harness.right.last! - 0.25) < 1e-6)
        _ = harness.sounds.send(ObjectSound(object: 0, channel: 0))
        harness.render(blocks: 700)
        let (left, right) = (harness.left.suffix(4800), harness.right.suffix(4800).map { $0 - 0.25 })
        #expect(Self.energy(right) > 2 * Self.energy(left) && Self.energy(left) > 1)
    }

    /// Sounds follow the position in the recording, modulo their length.
    @Test func soundsFollowTheRecording() {
        var harness = Self.scene()
        _ = harness.sounds.send(ObjectSound(object: 0, mono: Self.impulse))
        harness.play(frames: 40_000) { _, _ in 0 }
        harness.render(blocks: 256)
        let first = harness.left.indices.filter { harness.left[$0] > 0.5 }
        #expect(first.count == 16 && zip(first.dropFirst(), first).allSatisfy { $0 - $1 == Self.length }, "\(first)")
        // Playback from another position, after a crossfade.
        harness.play(frames: 40_000, number: 2, start: 10_300) { _, _ in 0 }
        harness.render(blocks: 256)
        let later = harness.left.indices.filter { harness.left[$0] > 0.5 && $0 > 256 * 64 + 3000 }
        #expect(later.allSatisfy { (($0 - first[1]) - (later[0] - first[1])) % Self.length == 0 })
        // The feed began with the block that took it; an impulse is due 10300 frames before a multiple of the length.
        #expect((later[0] - first[1] % Self.length - 256 * 64 + 10_300) % Self.length == 0, "\(later)")
    }

    /// Changing block sizes leave no trace.
    @Test func recordingAndObjectsAddUp() {
        func render(_ hasRecording: Bool, _ hasObject: Bool) -> [Float] {
            var harness = Self.scene()
            harness.play(frames: 20_000) { channel, frame in hasRecording ? Float((frame * (channel + 3)) % 101) / 400 : 0 }
            if hasObject { _ = harness.sounds.send(ObjectSound(object: 0, mono: Self.sine(700))) }
            harness.set(ObjectParameter.azimuth, 33)
            harness.render(
                blocks: 200, before: { block, inlet in inlet.send(yaw: Float(block), pitch: 0, roll: 0, receiveTime: UInt64(block + 1)) })
            return harness.left
        }
        let (both, one, other) = (render(true, true), render(true, false), render(false, true))
        #expect(zip(both, zip(one, other)).allSatisfy { abs($0 - $1.0 - $1.1) < 1e-5 })
        #expect(Self.energy(other) > 1)
    }
}
