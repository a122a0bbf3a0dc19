import Binaural
import Crossing
import Foundation
import Parameters
import Render
import RenderCore
import TestSupport
import Testing

/// Objects that are removed and added while they sound.
@Suite struct ObjectPresenceTests {
    /// Largest second difference of neighbouring samples: a click has a large one.
    private static func bend(_ samples: [Float]) -> Float {
        (2..<samples.count).map { abs(samples[$0] - 2 * samples[$0 - 1] + samples[$0 - 2]) }.max() ?? 0
    }

    private static func peak(_ samples: some Sequence<Float>) -> Float { samples.map(abs).max() ?? 0 }

    @Test(arguments: [0, 1] as [Float])
    func aRemovedObjectFadesWithoutAClickAndComesAgain(_ doppler: Float) {
        var harness = ObjectTests.scene(objects: 2)
        var parts = harness.lines.objectParts.take()
        let presence = harness.lines.presentObjects.makeSwitch(1)
        harness.set(ObjectParameter.azimuth, 60, of: 1)
        harness.set(ObjectParameter.distance, 3, of: 1)
        harness.set(ObjectParameter.doppler, doppler, of: 1)
        _ = harness.sounds.send(ObjectSound(object: 1, mono: ObjectTests.sine(500)))
        harness.render(blocks: 300)
        let (steady, before) = (Array(harness.left.suffix(4800)), harness.left.count)
        presence.control.set(false)
        // The values of the next object with this number are not those of the one that fades.
        harness.set(ObjectParameter.azimuth, -90, of: 1)
        harness.set(ObjectParameter.gain, 12, of: 1)
        harness.render(blocks: 600)
        let (fade, rest) = (Self.bend(Array(harness.left[(before - 480)...])), Self.peak(harness.left.suffix(4800)))
        #expect(fade < 1.2 * Self.bend(steady) && rest == 0, "\(fade) \(rest)")
        // Its sound is not heard before its memory has come, and the same as before afterwards.
        harness.set(ObjectParameter.azimuth, 60, of: 1)
        harness.set(ObjectParameter.gain, 0, of: 1)
        presence.control.set(true)
        _ = harness.sounds.send(ObjectSound(object: 1, mono: ObjectTests.sine(500)))
        harness.render(blocks: 100)
        let early = Self.peak(harness.left.suffix(480))
        let (rate, period) = (harness.rate, harness.period)
        let isSent = parts.send(ObjectPart(object: 1, rate: rate, period: period))
        harness.render(blocks: 300)
        let again = Self.peak(harness.left.suffix(4800))
        #expect(isSent && early == 0 && abs(again - Self.peak(steady)) < 1e-4, "\(early) \(again)")
        // Memory for an object that has some is given back.
        _ = parts.send(ObjectPart(object: 1, rate: rate, period: period))
        harness.render(blocks: 10)
        parts.collect()
    }

    /// Objects beyond those with reflections feed the late field only, and those beyond the room's number nothing.
    @Test func manyObjectsInARoomHaveALimit() {
        let count = RoomScene.mostReflected + 2
        let plan = LiveRoomTests.plan(SIMD3(7, 5, 3), order: 1)
        var harness = RenderHarness(method: .nearest, objects: count, room: plan)
        _ = harness.sounds.send(ObjectSound(object: count - 1, mono: ObjectTests.sine(500)))
        harness.render(blocks: 300)
        let inside = Self.peak(harness.left.suffix(4800))
        #expect(inside > 0.05 && inside < 2)
        let (rate, period) = (harness.rate, harness.period)
        _ = harness.rooms.send(RoomScene(plan, objects: 8, rate: rate, period: period))
        harness.render(blocks: 1500)
        let (direct, isFinite) = (Self.peak(harness.left.suffix(4800)), harness.left.allSatisfy(\.isFinite))
        #expect(direct > 0.05 && direct < 2 && isFinite)
    }
}
