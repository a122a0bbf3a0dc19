import Binaural
import Crossing
import Parameters
import Pose
import Render
import RenderCore
import RenderInterface
import TestSupport
import Testing

/// Listeners on the network, rendered by a worker from the blocks that the audio thread sends. The oracle is a listener of the device
/// with the same head.
struct NetworkRendererTests {
    private static func noise(_ frames: Int) -> (Int, Int) -> Float {
        { channel, frame in
            var state = UInt64(channel * 7_919 + frame + 1) &* 0x9E37_79B9_7F4A_7C15
            state ^= state >> 29
            state = state &* 0xBF58_476D_1CE4_E5B9
            return Float(Int64(bitPattern: state) >> 40) / 16_777_216
        }
    }

    @Test(arguments: InterpolationMethod.allCases.filter { $0 != .hrtf })
    func `equals a listener of the device to the bit`(_ method: InterpolationMethod) {
        var scene = NetworkScene(method)
        scene.harness.play(frames: 48_000, Self.noise(48_000))
        let (device, network) = scene.render(blocks: 200)
        #expect(device.contains { abs($0) > 0.01 }, "the device is heard")
        for ears in network { #expect(ears == device, "\(method.name)") }
    }

    @Test(arguments: [InterpolationMethod.twoBand, .ringSpectral, .linear])
    func `a hop of three blocks sounds as one of three times the length`(_ method: InterpolationMethod) {
        let clip = InputClip(interleaved: (0..<9600).map { 0.1 * Float($0 % 37) / 37 })
        var scene = NetworkScene(method, objects: 2, clip: clip)
        var device = RenderHarness(method: method, period: 192, protection: .always, clip: clip, objects: 2)
        let recorded = Self.noise(48_000)
        scene.harness.play(frames: 48_000, recorded)
        device.play(frames: 48_000, recorded)
        for object in 0..<2 {
            let sound = (0..<9600).map { 0.2 * Float(($0 * (object + 3)) % 101) / 101 - 0.1 }
            _ = scene.harness.sounds.send(ObjectSound(object: object, mono: sound))
            _ = device.sounds.send(ObjectSound(object: object, mono: sound))
        }
        let (own, network) = scene.render(blocks: 300, hop: 3)
        for turn in 0..<100 {
            NetworkScene.turn(1.5 * Float(turn), [device.inlet], time: UInt64(turn + 1))
            device.render(blocks: 1)
        }
        let expected = NetworkScene.interleaved(device)
        #expect(expected.contains { abs($0) > 0.01 } && own.count == expected.count)
        for ears in network { #expect(ears == expected) }
        #expect(scene.harness.lines.network.workers[0].blocks == 300)
    }

    @Test func `objects and live input are heard alike`() {
        let clip = InputClip(interleaved: (0..<9600).map { 0.1 * Float($0 % 37) / 37 })
        var scene = NetworkScene(.twoBand, objects: 2, clip: clip)
        scene.harness.play(frames: 48_000, Self.noise(48_000))
        for object in 0..<2 {
            _ = scene.harness.sounds.send(
                ObjectSound(object: object, mono: (0..<9600).map { 0.2 * Float(($0 * (object + 3)) % 101) / 101 - 0.1 }))
            scene.harness.set(ObjectParameter.azimuth, Float(60 * object - 40), of: object)
        }
        let (device, network) = scene.render(blocks: 200)
        for ears in network { #expect(ears == device) }
    }

    @Test func `a listener that is absent costs nothing and is silent`() {
        var scene = NetworkScene(.nearest)
        scene.harness.play(frames: 48_000, Self.noise(48_000))
        let absence = scene.harness.lines.present.makeSwitch(2)
        absence.control.set(false)
        let (device, network) = scene.render(blocks: 50)
        #expect(network[0] == device)
        #expect(network[1].isEmpty, "\(network[1].count) samples of an absent listener")
        absence.control.set(true)
        let (later, both) = scene.render(blocks: 50)
        #expect(both[0] == later)
        #expect(both[1].count == later.count)
    }

    @Test func `a worker that has fallen behind loses blocks, and the device none`() {
        var scene = NetworkScene(.nearest)
        scene.harness.play(frames: 1 << 17, Self.noise(1 << 17))
        scene.harness.render(blocks: 1000)
        #expect(scene.harness.left.count == 64_000)
        let line = scene.harness.lines.network.workers[0]
        let unsent = line.lost
        #expect(unsent > 900, "\(unsent) blocks found no room")
        scene.worker.render(hop: 3)
        #expect(line.lost > unsent, "the oldest were left out")
        #expect(line.blocks == 3, "\(line.blocks) blocks were rendered")
        #expect(line.blocks + line.lost == 1000)
    }

    @Test func `takes mark the blocks that a worker has lost`() {
        var scene = NetworkScene(.nearest)
        scene.harness.play(frames: 1 << 17, Self.noise(1 << 17))
        var taps = scene.harness.lines.takes.workers[0].taps.take()
        let pair = TakeTap.pair(.ears(1), channels: 2, capacity: 1 << 17)
        let isSent = taps.send(pair.tap)
        #expect(isSent)
        var outlet = pair.outlet
        let first = scene.render(blocks: 20)
        let (beginning, none) = (outlet.marks.pop(), outlet.marks.pop())
        #expect(beginning.map { [$0.index, $0.sample] } == [0, 0] && none == nil)
        var available = outlet.frames.available
        #expect(available == 20 * 64)
        var kept = [Float](repeating: 0, count: 2 * 20 * 64)
        _ = kept.withUnsafeMutableBufferPointer { outlet.frames.read($0.baseAddress!, frames: 20 * 64) }
        #expect(kept == first.network[0])
        // A thousand blocks without the worker: the oldest are lost.
        scene.harness.render(blocks: 1000)
        scene.worker.render(hop: 3)
        let mark = outlet.marks.pop()
        #expect(mark?.index == 20 * 64 && (mark?.sample ?? 0) > 20 * 64)
        available = outlet.frames.available
        #expect(available == 3 * 64)
    }

    @Test func `blocks are not sent while nobody needs them`() {
        var scene = NetworkScene(.nearest)
        scene.isNeeded.set(false)
        scene.harness.play(frames: 48_000, Self.noise(48_000))
        scene.harness.render(blocks: 500)
        scene.worker.render(hop: 3)
        let line = scene.harness.lines.network.workers[0]
        #expect(line.blocks == 0)
        #expect(line.lost == 0)
    }

    @Test func `another array applies with the block that the device applies it in`() {
        var scene = NetworkScene(.twoBand)
        scene.harness.play(frames: 48_000, Self.noise(48_000))
        let (first, before) = scene.render(blocks: 60)
        for ears in before { #expect(ears == first) }
        let turned = MicrophoneArray.uniform(count: 16)
        let calibration = Calibration(gains: (0..<16).map { 1 - 0.03 * Float($0) })
        _ = scene.arrays.send(ArrayEdit(RingLookup(turned, calibration: calibration), version: 1))
        _ = scene.harness.arrays.send(ArrayEdit(RingLookup(turned, calibration: calibration), version: 1))
        let (device, network) = scene.render(blocks: 60)
        #expect(device != first)
        for ears in network { #expect(ears == device) }
    }
}
