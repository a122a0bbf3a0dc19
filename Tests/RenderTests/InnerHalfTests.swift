import Binaural
import Crossing
import DSP
import Foundation
import Parameters
import Render
import RenderCore
import RenderInterface
import TestSupport
import Testing

/// The inner half of rendering takes plain values: used alone it gives the same samples as through the outer half.
@Suite struct InnerHalfTests {
    static let blocks = 160

    func noise(_ channel: Int, _ frame: Int) -> Float {
        let mixed = UInt32(truncatingIfNeeded: channel &* 7919 &+ frame &* 104_729 &+ 1) &* 2_654_435_761
        return Float(mixed >> 8) / Float(1 << 24) - 0.5
    }

    static func sounds() -> [[Float]] {
        [(0..<900).map { (i: Int) -> Float in Float(i % 90) / 300 }, (0..<1333).map { (i: Int) -> Float in sin(Float(i) / 9) / 4 }]
    }

    static func head(_ random: inout SeededRandom) -> SIMD4<Float> {
        let q: SIMD4<Float> = SIMD4(random.within(0.2...1), random.within(-1...1), random.within(-1...1), random.within(-1...1))
        return q / (q * q).sum().squareRoot()
    }

    @Test(arguments: InterpolationMethod.allCases, [64, 480])
    func soundsLikeTheOuterHalf(_ method: InterpolationMethod, period: Int) {
        var random = SeededRandom("InnerHalfTests.soundsLikeTheOuterHalf(\(method), \(period))")
        let array = MicrophoneArray.uniform(count: 16)
        let bank = FilterBank.made(for: array)
        let sounds = Self.sounds()
        var harness = RenderHarness(array: array, method: method, period: period, objects: sounds.count)
        var poses = harness.lines.listeners[0].controlPoses.take()
        var filters = harness.lines.listeners[0].hrtf.take()
        _ = filters.send(HRTFSet(bank))
        for (object, mono) in sounds.enumerated() { _ = harness.sounds.send(ObjectSound(object: object, mono: mono)) }
        harness.play(frames: (Self.blocks + 1) * period, noise)

        // Values in engine units, as the outer half reads them.
        let reader = harness.store.makeReader()
        var scene = PlainScene(array, period: period, sounds: sounds)
        var listener = PlainListener(objects: sounds.count, period: period)
        var chosen = method
        for block in 0..<Self.blocks {
            // All inputs change: the head in every block, the rest from time to time.
            let head = Self.head(&random)
            poses.publish(HeadPose(quaternion: head, id: UInt64(block + 1), receiveTime: 1))
            if block == Self.blocks / 2 { chosen = InterpolationMethod.allCases.randomElement(using: &random)! }
            let gain = block % 20 == 19 ? 0 : random.within(0.1...1) as Float
            let (front, ear): (Float, Float) = (random.within(-180...180), random.within(60...120))
            let (crossover, fixed): (Float, Int) = (block < 40 ? 0 : random.within(500...3000), random.whole(1..<17))
            harness.set(ListenerParameter.method, Float(chosen.rawValue))
            harness.set(ListenerParameter.mute, gain == 0 ? 1 : 0)
            harness.set(ListenerParameter.gain, 20 * log10(max(gain, 0.1)))
            harness.set(ListenerParameter.front, front)
            harness.set(ListenerParameter.earAzimuth, ear)
            harness.set(ListenerParameter.fixedMicrophone, Float(fixed))
            harness.set(ArraySetting.crossover, crossover)
            for object in sounds.indices {
                let place = ObjectSettings(
                    azimuth: random.within(-180...180), elevation: random.within(-90...90), distance: random.within(0.3...9),
                    gain: random.within(0.01...1))
                harness.set(ObjectParameter.azimuth, place.azimuth, of: object)
                harness.set(ObjectParameter.elevation, place.elevation, of: object)
                harness.set(ObjectParameter.distance, place.distance, of: object)
                harness.set(ObjectParameter.gain, 20 * log10(place.gain), of: object)
                scene.settings[object] = place
                scene.settings[object].gain = reader.target(harness.tree.index(ObjectParameter.gain, object))
            }
            harness.render(blocks: 1)

            let settings = ListenerSettings(
                method: chosen, earAzimuth: ear, front: front, fixedMicrophone: fixed - 1,
                gain: gain == 0 ? 0 : reader.target(harness.tree.index(ListenerParameter.gain)))
            let rendered = scene.prepare(listener.renderer.bands(chosen), crossover: crossover, noise)
            if block == 0 { listener.renderer.changeArray(isSameCount: false) }
            listener.render(
                scene.preparer.prepared, scene.ring, scene.objects.prepared, settings, head: head, hrtf: bank.view, block: rendered)
        }
        #expect(harness.left.contains { abs($0) > 0.01 })
        #expect(Self.differences(harness.left, listener.ears.left) == 0)
        #expect(Self.differences(harness.right, listener.ears.right) == 0)
    }

    /// Number of samples that differ.
    static func differences(_ a: [Float], _ b: [Float]) -> Int {
        abs(a.count - b.count) + zip(a, b).count { $0.bitPattern != $1.bitPattern }
    }

    /// Several threads at once, each with its own working memory, render the same output as one thread.
    @Test(arguments: InterpolationMethod.allCases)
    func sharesPreparedScenesBetweenThreads(_ method: InterpolationMethod) {
        let (period, count) = (128, 4)
        let array = MicrophoneArray.uniform(count: 16)
        let bank = FilterBank.made(for: array)
        let view = bank.view
        let listeners = UnsafeMutablePointer<PlainListener>.allocate(capacity: 2 * count)
        for i in 0..<2 * count { (listeners + i).initialize(to: PlainListener(objects: 2, period: period)) }
        defer {
            listeners.deinitialize(count: 2 * count)
            listeners.deallocate()
        }
        let scene = UnsafeMutablePointer<PlainScene>.allocate(capacity: 1)
        scene.initialize(to: PlainScene(array, period: period, sounds: Self.sounds()))
        defer {
            scene.deinitialize(count: 1)
            scene.deallocate()
        }
        // SAFETY: every listener is rendered by one thread at a time; the scene is only read meanwhile.
        nonisolated(unsafe) let (shared, all) = (scene, listeners)
        let settings = ListenerSettings(method: method)
        for number in 0..<40 {
            var needs = BandSet()
            for i in 0..<2 * count { needs = needs | listeners[i].renderer.bands(method) }
            let block = scene.pointee.prepare(needs, crossover: 0, noise)
            if number == 0 { for i in 0..<2 * count { listeners[i].renderer.changeArray(isSameCount: false) } }
            let render: @Sendable (Int) -> Void = { i in
                let angle = Float(number * (i % count + 1)) / 30
                all[i].render(
                    shared.pointee.preparer.prepared, shared.pointee.ring, shared.pointee.objects.prepared, settings,
                    head: SIMD4(cos(angle), 0, 0, sin(angle)), hrtf: view, block: block)
            }
            scene.pointee.preparer.prepared.analyse(needs, channels: array.count)
            DispatchQueue.concurrentPerform(iterations: count) { render($0) }
            for i in count..<2 * count { render(i) }
        }
        for i in 0..<count {
            #expect(listeners[i].ears.left.contains { abs($0) > 1e-3 })
            #expect(Self.differences(listeners[i].ears.left, listeners[i + count].ears.left) == 0)
            #expect(Self.differences(listeners[i].ears.right, listeners[i + count].ears.right) == 0)
        }
    }
}
