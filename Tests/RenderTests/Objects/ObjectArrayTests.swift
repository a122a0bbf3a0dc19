import Binaural
import Crossing
import DSP
import Foundation
import Parameters
import Render
import TestSupport
import Testing

@testable import RenderCore

/// Objects that are encoded onto the virtual microphone array.
@Suite struct ObjectArrayTests {
    private static let length = ObjectTests.length

    private static func scene(
        _ array: MicrophoneArray = .uniform(count: 16), method: InterpolationMethod = .nearest, objects: Int = 1, encoded: Bool = true,
        room: RoomPlan? = nil
    ) -> RenderHarness {
        let harness = RenderHarness(array: array, method: method, objects: objects, room: room)
        for object in 0..<objects { harness.set(ObjectParameter.renderer, encoded ? 1 : 0, of: object) }
        return harness
    }

    private static func bend(_ samples: some Collection<Float>) -> Float {
        let samples = Array(samples)
        return (2..<samples.count).map { abs(samples[$0] - 2 * samples[$0 - 1] + samples[$0 - 2]) }.max() ?? 0
    }

    private static func peak(_ samples: some Sequence<Float>) -> Float { samples.map(abs).max() ?? 0 }

    /// Response at a microphone, which the left ear is at.
    private static func response(_ azimuth: Float, _ elevation: Float = 0, array: MicrophoneArray? = nil) -> [Float] {
        var harness = scene(array ?? .uniform(count: 16))
        if array != nil { harness.play(frames: 96_000, ends: false) { _, _ in 0 } }
        _ = harness.sounds.send(ObjectSound(object: 0, mono: ObjectTests.impulse))
        harness.set(ObjectParameter.azimuth, azimuth)
        harness.set(ObjectParameter.elevation, elevation)
        harness.render(blocks: 6 * length / 64)
        return Array(harness.left.suffix(length))
    }

    /// The oracle is the exact series, at the microphone where the left ear is.
    @Test(arguments: [0.0875, 0.07, 0.11] as [Float])
    func microphonesHearTheExactSphere(_ radius: Float) {
        let sphere = Sphere(radius: Double(radius))
        var (low, all, phases): ([Double], [Double], [Double]) = ([], [], [])
        for (azimuth, elevation) in stride(from: Float(-180), to: 180, by: 12.5).map({ ($0, Float(0)) }) + [(40, 50), (-70, -30), (0, 90)] {
            let response = Self.response(azimuth, elevation, array: .uniform(count: 8, radius: radius))
            let cosine = Double(cos(elevation * .pi / 180) * cos((azimuth - 90) * .pi / 180))
            var turns: [(Double, Double)] = []
            for line in [4, 6, 9, 13, 19, 28, 40, 60, 85, 120, 170, 240, 341] {
                let frequency = ObjectTests.frequency(line)
                let (exact, heard) = (sphere.pressure(frequency: frequency, cosine: cosine), ObjectTests.spectrum(response, line))
                let error = abs(20 * log10(heard.magnitude / exact.magnitude))
                all.append(error)
                guard frequency < 4000 else { continue }
                low.append(error)
                turns.append((frequency, atan2(heard.im * exact.re - heard.re * exact.im, heard.re * exact.re + heard.im * exact.im)))
            }
            // The same delay at all angles and frequencies: time of the sphere's centre and of the filters.
            phases.append(-turns[3].1 / (2 * .pi * turns[3].0))
        }
        func mean(_ errors: [Double]) -> Double { errors.reduce(0, +) / Double(errors.count) }
        let (least, most) = (phases.min()! * 1e6, phases.max()! * 1e6)
        let report = "below 4 kHz \(mean(low)) dB, worst \(low.max()!); to 16 kHz \(mean(all)) dB; delays \(least) to \(most) us"
        print("array of \(radius) m:", report)
        #expect(mean(low) < 0.5 && low.max()! < 3 && mean(all) < 0.6, "\(report)")
        #expect(most - least < 50, "\(report)")
    }

    /// Without a recording, the array of sixteen microphones is decoded by the listener's method.
    @Test(arguments: [InterpolationMethod.ringSpectral, .twoBand, .linear])
    func everyMethodDecodesIt(_ method: InterpolationMethod) {
        func levels(_ isEncoded: Bool, _ azimuth: Float) -> (Double, Double) {
            var harness = Self.scene(method: method, encoded: isEncoded)
            _ = harness.sounds.send(ObjectSound(object: 0, mono: ObjectTests.sine(700)))
            harness.set(ObjectParameter.azimuth, azimuth)
            harness.render(blocks: 300)
            func level(_ ear: [Float]) -> Double { 10 * log10(ObjectTests.energy(ear.suffix(4800))) }
            return (level(harness.left), level(harness.right))
        }
        for azimuth in [0, 50, 100, -130] as [Float] {
            let (direct, array) = (levels(false, azimuth), levels(true, azimuth))
            #expect(abs(direct.0 - array.0) < 1.5 && abs(direct.1 - array.1) < 1.5, "\(azimuth): \(direct) \(array)")
        }
    }

    /// One object of two in a scene, block by block: its row, what of it is rendered for listeners, and whether the array is heard.
    private static func rows(canEncode: Bool, encodes: (Int) -> Bool) -> (row: [Float], active: [Int], isHeard: [Bool]) {
        let period = 64
        var scene = ObjectScene(count: 2, rate: 48_000, period: period, canEncode: canEncode)
        let settings = UnsafeMutablePointer<ObjectSettings>.allocate(capacity: 2)
        settings.initialize(repeating: ObjectSettings(azimuth: 40, distance: 2), count: 2)
        let ring = UnsafeMutablePointer<RingLookup>.allocate(capacity: 1)
        ring.initialize(to: RingLookup(.uniform(count: 16)))
        let encoding = SphereEncoding(radius: 0.0875, rate: 48_000)
        defer {
            settings.deallocate()
            ring.deinitialize(count: 1)
            ring.deallocate()
        }
        let sound = UnsafeMutablePointer<ObjectSound>.allocate(capacity: 1)
        sound.initialize(to: ObjectSound(object: 0, mono: ObjectTests.sine(500)))
        _ = scene.take(sound)
        var found: (row: [Float], active: [Int], isHeard: [Bool]) = ([], [], [])
        for block in 0..<100 {
            settings[0].azimuth = Float(block)
            settings[0].isEncoded = encodes(block)
            scene.prepare(
                settings, ObjectTransport(isPlaying: true, feed: 1, place: Int64(block * period), radius: 0.0875),
                array: canEncode ? EncodedArray(ring, encoding.view) : nil, input: nil,
                block: Block(frames: period, rate: 48_000, tempo: 120))
            found.active.append(scene.prepared.activeCount)
            found.isHeard.append(scene.encoder.isHeard)
            for part in 0..<2 { found.row += (0..<period).map { scene.prepared.row(0, part)[$0] } }
        }
        return found
    }

    /// A scene in which no object is encoded is the same to the bit as one that cannot encode.
    @Test func directObjectsAreUntouched() {
        let (with, without) = (Self.rows(canEncode: true) { _ in false }, Self.rows(canEncode: false) { _ in false })
        #expect(with.row == without.row && Self.peak(with.row) > 0.1)
        #expect(with.active == without.active && !with.isHeard.contains(true))
    }

    /// Encoded objects are not rendered for each listener; while one changes over it is.
    @Test func encodedObjectsCostListenersNothing() {
        let found = Self.rows(canEncode: true) { (30..<60).contains($0) }
        // A crossfade takes 15 blocks, and listeners hear the rest through their delays and filters for some more.
        #expect(found.active[..<45].allSatisfy { $0 == 1 } && found.active[60...].allSatisfy { $0 == 1 }, "\(found.active)")
        #expect(found.active[55..<60].allSatisfy { $0 == 0 }, "\(found.active)")
        #expect(found.isHeard.firstIndex(of: true) == 30)
    }

    @Test(arguments: [false, true])
    func changesOfTheRendererDoNotClick(_ inRoom: Bool) {
        let room = inRoom ? LiveRoomTests.plan(SIMD3(7, 5, 3), order: 1) : nil
        var harness = Self.scene(encoded: false, room: room)
        _ = harness.sounds.send(ObjectSound(object: 0, mono: ObjectTests.sine(500)))
        harness.set(ObjectParameter.azimuth, 60)
        harness.render(blocks: 600)
        let steady = Self.bend(harness.left.suffix(9600))
        let begin = harness.left.count
        for turn in 0..<8 {
            harness.set(ObjectParameter.renderer, Float((turn + 1) % 2))
            // Also before the crossfade is over.
            harness.render(blocks: turn < 4 ? 7 : 100)
        }
        harness.set(ObjectParameter.renderer, 1)
        harness.render(blocks: 100)
        let change = Self.bend(harness.left[begin...])
        #expect(change < 2 * steady && Self.peak(harness.left.suffix(4800)) > 0.1, "\(change) \(steady)")
    }

    /// Sources that move past whole samples of delay at each microphone.
    @Test func movingObjectsDoNotClick() {
        var harness = Self.scene()
        _ = harness.sounds.send(ObjectSound(object: 0, mono: ObjectTests.sine(500)))
        // The loudest direction for the left ear.
        harness.set(ObjectParameter.azimuth, 90)
        harness.render(blocks: 300)
        let steady = Self.bend(harness.left.suffix(4800))
        let begin = harness.left.count
        // 375 degrees/s, half a degree in each block.
        for turn in 0..<1440 {
            harness.set(ObjectParameter.azimuth, Float((turn + 540) % 720 - 360) / 2)
            harness.render(blocks: 1)
        }
        let moving = Self.bend(harness.left[begin...])
        #expect(moving < 1.6 * steady, "\(moving) \(steady)")
    }

    /// Recordings come, of the same microphones and of others, and the array is described otherwise.
    @Test func changesOfTheArrayDoNotClick() {
        var harness = Self.scene()
        _ = harness.sounds.send(ObjectSound(object: 0, mono: ObjectTests.sine(500, frames: 48_000)))
        harness.set(ObjectParameter.azimuth, 70)
        harness.render(blocks: 300)
        let steady = Self.bend(harness.left.suffix(4800))
        let begin = harness.left.count
        harness.play(frames: 100_000, ends: false) { _, _ in 0 }
        harness.render(blocks: 200)
        let same = (Self.bend(harness.left[begin...]), Self.peak(harness.left.suffix(4800)))
        harness.play(frames: 100_000, number: 2, ends: false, channels: 8, version: 1) { _, _ in 0 }
        harness.render(blocks: 200)
        let fewer = (Self.bend(harness.left[begin...]), Self.peak(harness.left.suffix(4800)))
        _ = harness.arrays.send(ArrayEdit(RingLookup(.uniform(count: 8, first: 90, clockwise: false)), version: 2))
        harness.render(blocks: 200)
        let turned = (Self.bend(harness.left[begin...]), Self.peak(harness.left.suffix(4800)))
        for (bend, peak) in [same, fewer, turned] {
            // Objects begin again with the place in the recording, crossfaded.
            #expect(bend < 3 * steady && peak > 0.1, "\(bend) \(peak), steady \(steady)")
        }
    }

    /// The sound of live objects goes on while the transport is stopped.
    @Test func liveObjectsSoundWhenTheTransportIsStopped() {
        let clip = InputClip(interleaved: (0..<9600).map { 0.3 * Float(sin(2 * .pi * 500 * Double($0 / 2) / 48_000)) })
        var harness = RenderHarness(method: .ringSpectral, clip: clip, objects: 1)
        harness.set(ObjectParameter.renderer, 1)
        harness.set(TransportParameter.state, 0)
        _ = harness.sounds.send(ObjectSound(object: 0, channel: 0))
        harness.render(blocks: 100)
        #expect(Self.peak(harness.left.suffix(1000)) > 0.05)
        harness.play(frames: 9600, ends: false) { _, _ in 0.5 }
        harness.render(blocks: 100)
        #expect(Self.peak(harness.left.suffix(1000)) > 0.05)
    }

    /// The array is not decoded any longer when its last object has left it, and listeners are silent at once when it is removed.
    @Test func theArrayEndsWithItsObjects() {
        var harness = Self.scene()
        let presence = harness.lines.presentObjects.makeSwitch(0)
        _ = harness.sounds.send(ObjectSound(object: 0, mono: ObjectTests.sine(500)))
        harness.set(ObjectParameter.azimuth, 60)
        harness.render(blocks: 300)
        let (steady, before) = (Self.bend(harness.left.suffix(4800)), harness.left.count)
        presence.control.set(false)
        harness.render(blocks: 600)
        let (fade, rest) = (Self.bend(harness.left[(before - 480)...]), Self.peak(harness.left.suffix(4800)))
        #expect(fade < 1.2 * steady && rest == 0, "\(fade) \(steady) \(rest)")
    }

    /// Listeners on the network hear encoded objects as those of the device do, with a recording and without one.
    @Test(arguments: [true, false])
    func networkListenersHearItAlike(_ hasRecording: Bool) {
        var scene = NetworkScene(.ringSpectral, objects: 2)
        if hasRecording { scene.harness.play(frames: 48_000) { Float(($0 * 7 + $1 * 13) % 31) / 100 } }
        for object in 0..<2 {
            _ = scene.harness.sounds.send(ObjectSound(object: object, mono: ObjectTests.sine(400 + 300 * Double(object))))
            scene.harness.set(ObjectParameter.azimuth, Float(60 * object - 40), of: object)
            scene.harness.set(ObjectParameter.renderer, object == 0 ? 1 : 0, of: object)
        }
        let (device, network) = scene.render(blocks: 200)
        #expect(device.contains { abs($0) > 0.05 })
        for ears in network { #expect(ears == device) }
    }
}
