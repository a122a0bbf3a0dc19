import Binaural
import DSP
import Foundation
import Parameters
import Pose
import Render
import RenderCore
import RenderInterface
import TestSupport
import Testing

/// A rolled and pitched head in noise from one direction in the ring's plane, against the exact pressure at its ears.
@Suite struct TiltedHeadTests {
    static let length = 4096
    static let spacing = 48_000.0 / 4096
    /// Noise from 80 Hz to 2.4 kHz.
    static let lines = 7..<205

    struct Pose: CustomTestStringConvertible {
        var source: Double
        var yaw = 0.0
        var pitch = 0.0
        var roll = 0.0
        var earAzimuth = 90.0
        var testDescription: String { "source \(source), yaw \(yaw), pitch \(pitch), roll \(roll), ears \(earAzimuth)" }

        /// Cosine of the angle between the source and each ear, by rotations one after the other.
        func cosines() -> [Double] {
            func turn(_ a: Double, _ b: Double, _ degrees: Double) -> (Double, Double) {
                let angle = degrees * .pi / 180
                return (a * cos(angle) - b * sin(angle), a * sin(angle) + b * cos(angle))
            }
            return [earAzimuth, -earAzimuth].map { azimuth in
                var (x, y, z) = (cos(azimuth * .pi / 180), sin(azimuth * .pi / 180), 0.0)
                (y, z) = turn(y, z, roll)
                (x, z) = turn(x, z, pitch)
                (x, y) = turn(x, y, yaw)
                return x * cos(source * .pi / 180) + y * sin(source * .pi / 180)
            }
        }
    }

    static let poses = [
        Pose(source: 90, roll: 45), Pose(source: 90, roll: -45), Pose(source: 90, roll: 20), Pose(source: 90, roll: 60),
        Pose(source: 90, roll: 75), Pose(source: 60, roll: 45), Pose(source: 30, roll: 30), Pose(source: -40, yaw: 70, roll: -50),
        Pose(source: 100, yaw: -10, pitch: 30, roll: 40), Pose(source: 75, pitch: 50, earAzimuth: 110),
        Pose(source: 90, roll: 0), Pose(source: 40, pitch: 60),
    ]

    private func pressure(_ cosine: Double, _ line: Int) -> Complex {
        let size = 2 * .pi * Double(line) * Self.spacing * 0.0875 / 343
        return SphereOracle.pressure(size: size, angle: acos(max(-1, min(1, cosine))), orders: 16)
    }

    private func noise() -> [Complex] {
        var random = SeededRandom(fixed: 5)
        return Self.lines.map { _ in Complex(magnitude: 1, phase: 2 * .pi * random.unit()) }
    }

    /// The lines of both ears.
    private func rendered(_ method: InterpolationMethod, _ pose: Pose) -> [[Complex]] {
        let transform = FourierTransform(count: Self.length)
        let spectrum = UnsafeMutablePointer<Float>.allocateAligned(2 * transform.bins)
        let time = UnsafeMutablePointer<Float>.allocateAligned(Self.length)
        defer {
            spectrum.deallocate()
            time.deallocate()
        }
        let array = MicrophoneArray.uniform(count: 16)
        let noise = noise()
        let microphones = array.azimuthList.map { azimuth in
            for i in 0..<2 * transform.bins { spectrum[i] = 0 }
            for (line, value) in zip(Self.lines, noise) {
                let heard = value * pressure(cos((Double(azimuth) - pose.source) * .pi / 180), line)
                spectrum[2 * line] = Float(heard.re / 256)
                spectrum[2 * line + 1] = Float(heard.im / 256)
            }
            transform.inverse(spectrum, into: time)
            return (0..<Self.length).map { time[$0] }
        }
        var harness = RenderHarness(array: array, method: method)
        harness.set(ListenerParameter.earAzimuth, Float(pose.earAzimuth))
        harness.play(frames: 3 * Self.length) { microphones[$0][$1 % Self.length] }
        harness.inlet.send(yaw: Float(pose.yaw), pitch: Float(pose.pitch), roll: Float(pose.roll), receiveTime: 1)
        harness.render(blocks: 2 * Self.length / 64)
        return [harness.left, harness.right].map { ear in
            for (i, sample) in ear.suffix(Self.length).enumerated() { time[i] = sample }
            transform.forward(time, into: spectrum)
            return Self.lines.map {
                256 / Double(Self.length) * Complex(Double(spectrum[2 * $0]), Double(spectrum[2 * $0 + 1]))
            }
        }
    }

    private func exact(_ pose: Pose) -> [[Complex]] {
        let noise = noise()
        return pose.cosines().map { cosine in zip(Self.lines, noise).map { $1 * pressure(cosine, $0) } }
    }

    /// Delay of the right ear in microseconds: the maximum of the cross-correlation from 100 to 1500 Hz.
    private func delay(_ ears: [[Complex]]) -> Double {
        var lines: [(hertz: Double, power: Double, phase: Double)] = []
        for (line, (left, right)) in zip(Self.lines, zip(ears[0], ears[1])) {
            let hertz = Double(line) * Self.spacing
            if (100...1500).contains(hertz) { lines.append((hertz, left.magnitude * right.magnitude, left.phase - right.phase)) }
        }
        func correlation(_ delay: Double) -> Double {
            var sum = 0.0
            for line in lines { sum += line.power * cos(line.phase - 2 * Double.pi * line.hertz * delay * 1e-6) }
            return sum
        }
        let delays = stride(from: -1000.0, through: 1000, by: 1).map { ($0, correlation($0)) }
        return delays.max { $0.1 < $1.1 }!.0
    }

    /// A source at 90 degrees and a roll of 45: 478 us, and 701 by the azimuths of the ears alone.
    @Test(arguments: poses)
    func timesBetweenEarsAreExact(_ pose: Pose) {
        let (found, wanted) = (delay(rendered(.ringSpectral, pose)), delay(exact(pose)))
        print(pose.testDescription, "found", found, "exact", wanted)
        #expect(abs(found - wanted) < 15, "\(pose.testDescription): \(found) us, exact \(wanted)")
        if pose.source == 90, abs(pose.roll) == 45 {
            #expect(abs(wanted - 478) < 2)
            #expect(abs(delay(rendered(.nearest, pose)) - 701) < 5)
        }
    }

    /// Levels of single ears in bands of 250 Hz up to 1.5 kHz; the nearest microphone is the negative control.
    @Test(arguments: poses)
    func levelsAreExact(_ pose: Pose) {
        func errors(_ method: InterpolationMethod) -> [Double] {
            zip(rendered(method, pose), exact(pose)).flatMap { found, wanted in
                stride(from: 0, to: 120, by: 20).map { first in
                    func power(_ ear: [Complex]) -> Double {
                        ear[first..<first + 20].reduce(0) { $0 + $1.re * $1.re + $1.im * $1.im }
                    }
                    return abs(10 * log10(power(found) / power(wanted)))
                }
            }
        }
        let found = errors(.ringSpectral)
        print(pose.testDescription, "level error, dB: mean", found.reduce(0, +) / 12, "largest", found.max()!)
        #expect(found.reduce(0, +) / 12 < 0.5 && found.max()! < 1.6, "\(pose.testDescription): \(found)")
        if abs(pose.roll) == 45 { #expect(errors(.nearest).reduce(0, +) / 12 > 0.5) }
    }

    /// A head that is held upright, within 2 degrees, uses none of the rows.
    @Test func anUprightHeadNeedsNothingMore() {
        var listener = PlainListener(objects: 0, period: 64)
        var scene = PlainScene(.uniform(count: 16), period: 64, sounds: [])
        for (roll, isTilted) in [(Float(0), false), (1.9, false), (2.1, true), (45, true), (-1, false)] {
            for _ in 0..<3 {
                let block = scene.prepare(listener.renderer.bands(.ringSpectral), crossover: 0) { Float(($0 + $1) % 7) / 7 }
                listener.render(
                    scene.preparer.prepared, scene.ring, scene.objects.prepared, ListenerSettings(method: .ringSpectral),
                    head: Orientation.quaternion(yaw: 10, pitch: 0, roll: roll), hrtf: nil, block: block)
            }
            #expect(listener.renderer.bands(.ringSpectral).contains(.ringElevation) == isTilted, "roll \(roll)")
        }
    }
}
