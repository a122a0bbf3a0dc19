import Binaural
import Crossing
import DSP
import Foundation
import Parameters
import Render
import RenderCore
import TestSupport
import Testing

/// Rooms of sound objects while they play: objects that jump, rooms that change, objects outside, listeners on the network.
@Suite struct LiveRoomTests {
    static let rate: Float = 48_000

    static func material(_ absorption: Float) -> RoomMaterial {
        RoomMaterial(
            name: "test", title: "Test", absorption: .init(repeating: absorption, count: 7), scattering: 0, colour: "#000000",
            source: "test")
    }

    static func plan(
        _ size: SIMD3<Float>, absorption: Float = 0.3, place: SIMD3<Float>? = nil, turn: Float = 0, order: Int = 2
    ) -> RoomPlan {
        let walls = [RoomMaterial](repeating: material(absorption), count: 6)
        return RoomPlan(Shoebox(size: size, place: place, turn: turn, walls: walls), order: order, rate: rate)!
    }

    static func noise(_ frames: Int) -> [Float] {
        var random = SeededRandom(fixed: 3)
        return (0..<frames).map { _ in Float(random.normal()) * 0.1 }
    }

    static func harness(_ room: RoomPlan?, sound: [Float]) -> RenderHarness {
        var harness = RenderHarness(method: .nearest, objects: 1, room: room)
        // As in a room.
        harness.set(ObjectParameter.air, 1)
        harness.set(ObjectParameter.doppler, 1)
        _ = harness.sounds.send(ObjectSound(object: 0, mono: sound))
        return harness
    }

    /// Level of each part of some blocks, decibels.
    static func levels(_ samples: [Float], part: Int) -> [Double] {
        stride(from: 0, to: samples.count - part + 1, by: part).map { begin in
            let energy = samples[begin..<begin + part].reduce(0.0) { $0 + Double($1) * Double($1) }
            return 10 * log10(energy / Double(part) + 1e-20)
        }
    }

    /// The room is what remains without the direct sound: a jump towards or away from the listener is no burst in it.
    @Test(arguments: [(Float(0.2), Float(10)), (10, 0.2)]) func objectsThatJumpDoNotBurst(_ from: Float, _ to: Float) {
        let plan = Self.plan(SIMD3(24, 20, 6), absorption: 0.2)
        let sound = Self.noise(24_000)
        func render(_ room: RoomPlan?) -> [Float] {
            var harness = Self.harness(room, sound: sound)
            // The sound at 1 m stays the same.
            harness.set(ObjectParameter.distance, from)
            harness.render(blocks: 900)
            harness.set(ObjectParameter.distance, to)
            harness.render(blocks: 600)
            return harness.left
        }
        let room = zip(render(plan), render(nil)).map { $0 - $1 }
        let levels = Self.levels(room, part: 960)
        let jump = 900 * 64 / 960
        let steady = levels[(jump - 20)..<jump].max()!
        let after = levels[(levels.count - 15)...].max()!
        let most = levels[jump..<jump + 12].max()!
        #expect(most < max(steady, after) + 3, "\(most) dB, before \(steady) dB, then \(after) dB")
        #expect(steady > -80)
    }

    /// Highest differences of a tone: a click has them, a crossfade of tones has not.
    static func click(_ samples: [Float]) -> Float {
        var differences = samples
        for _ in 0..<4 { differences = zip(differences.dropFirst(), differences).map { $0 - $1 } }
        return differences.reduce(0) { max($0, abs($1)) }
    }

    @Test func wallsThatMoveDoNotClick() {
        let tone = (0..<48_000).map { Float(0.2 * sin(2 * .pi * 400 * Double($0) / 48_000)) }
        var harness = Self.harness(Self.plan(SIMD3(6, 5, 3)), sound: tone)
        let plans = (0..<6).map { Self.plan(SIMD3(6 + 0.4 * Float($0), 5, 3), turn: Float(4 * $0)) }
        harness.render(blocks: 600)
        let steady = harness.left.suffix(300 * 64)
        for change in 0..<15 {
            harness.send(change == 14 ? nil : plans[change % 6])
            harness.render(blocks: 100)
        }
        let moved = Array(harness.left.suffix(1500 * 64))
        let level = steady.reduce(0) { max($0, abs($1)) }
        #expect(level > 0.02)
        // A step of -80 dB beside the tone has as much.
        let (found, before) = (Self.click(moved), Self.click(Array(steady)))
        let steps = zip(moved.dropFirst(), moved).map { abs($0 - $1) }
        let place = steps.indices.max { steps[$0] < steps[$1] }!
        #expect(found < 1.5 * before + 6e-4 * level, "\(found / level), steady \(before / level), near \(place)")
        #expect(moved.allSatisfy { abs($0) < 3 * level })
        // Without a room, what is left is the direct sound.
        var free = Self.harness(nil, sound: tone)
        free.render(blocks: 2100)
        let rest = zip(harness.left.suffix(640), free.left.suffix(640)).map { abs($0 - $1) }.max()!
        #expect(rest < 1e-5 * 2, "\(rest)")
    }

    /// Reverberation continues while its room is exchanged for one like it: its level neither drops nor rises.
    @Test func reverberationGoesOnWhileRoomsChange() {
        let plan = Self.plan(SIMD3(12, 9, 5), absorption: 0.1)
        var harness = Self.harness(plan, sound: Self.noise(48_000))
        harness.set(ObjectParameter.gain, 1)
        harness.set(RoomParameter.early, -60)
        harness.render(blocks: 1000)
        // The direct sound is muted, and the late field decays.
        func decay(_ exchanges: Bool) -> [Double] {
            var own = Self.harness(plan, sound: Self.noise(48_000))
            own.set(RoomParameter.early, -60)
            own.render(blocks: 1000)
            own.set(ObjectParameter.mute, 1)
            own.render(blocks: 60)
            if exchanges { own.send(plan) }
            own.render(blocks: 300)
            return Self.levels(Array(own.left.suffix(300 * 64)), part: 3200)
        }
        let (kept, exchanged) = (decay(false), decay(true))
        for (place, pair) in zip(kept, exchanged).enumerated() {
            #expect(abs(pair.0 - pair.1) < 4, "\(place): \(pair.0) dB, \(pair.1) dB")
        }
        #expect(kept[0] > -60)
    }

    /// Rooms that arrive faster than they fade in: the last one is heard in the end, and all others are returned.
    @Test func theLatestRoomIsHeard() {
        let sound = Self.noise(9600)
        let (first, last) = (Self.plan(SIMD3(6, 5, 3)), Self.plan(SIMD3(9, 7, 4), absorption: 0.6))
        var harness = Self.harness(first, sound: sound)
        for _ in 0..<5 {
            harness.send(first)
            harness.render(blocks: 4)
        }
        harness.send(last)
        harness.render(blocks: 3000)
        harness.rooms.collect()
        var expected = Self.harness(last, sound: sound)
        expected.render(blocks: 3020)
        let error = zip(harness.left.suffix(4800), expected.left.suffix(4800)).map { $0 - $1 }
        let levels = (Self.levels(error, part: 4800)[0], Self.levels(Array(expected.left.suffix(4800)), part: 4800)[0])
        #expect(levels.0 < levels.1 - 60, "\(levels)")
    }

    /// Behind a wall an object is as much quieter as the wall's material lets through, in each octave, and comes back as it was.
    @Test func objectsOutsideAreMuffled() {
        var walls = [RoomMaterial](repeating: Self.material(0.1), count: 6)
        walls[Shoebox.Wall.left.rawValue] = Self.material(0.5)
        let room = RoomPlan(Shoebox(size: SIMD3(6, 5, 3), walls: walls), order: 1, rate: Self.rate)!
        func levels(_ hertz: Double, _ azimuth: Float, _ plan: RoomPlan?) -> Double {
            let tone = (0..<4800).map { Float(0.2 * sin(2 * .pi * hertz * Double($0) / 48_000)) }
            var harness = Self.harness(plan, sound: tone)
            harness.set(RoomParameter.early, -60)
            harness.set(RoomParameter.late, -60)
            harness.set(ObjectParameter.azimuth, azimuth)
            harness.set(ObjectParameter.distance, 4)
            harness.render(blocks: 300)
            return Self.levels(Array(harness.left.suffix(4800)), part: 4800)[0]
        }
        for (azimuth, wall) in [(Float(90), Shoebox.Wall.left), (-90, .right)] {
            for (band, hertz) in [250.0, 1000, 4000].enumerated() {
                let octave = [1, 3, 5][band]
                let found = levels(hertz, azimuth, room) - levels(hertz, azimuth, nil)
                let wanted = Double(walls[wall.rawValue].transmission[octave])
                #expect(abs(found - wanted) < 1, "\(wall), \(hertz) Hz: \(found) dB, \(wanted) dB")
                #expect(wanted < -3 && wanted > -60)
            }
        }
        // In front it is inside, with nothing between.
        var inside = Self.harness(room, sound: Self.noise(4800))
        var free = Self.harness(nil, sound: Self.noise(4800))
        for level in [RoomParameter.early, .late] { inside.set(level, -60) }
        inside.render(blocks: 300)
        free.render(blocks: 300)
        let rest = zip(inside.left, free.left).map { $0 - $1 }
        let (left, whole) = (
            Self.levels(Array(rest.suffix(4800)), part: 4800)[0], Self.levels(Array(free.left.suffix(4800)), part: 4800)[0]
        )
        #expect(left < whole - 40, "\(left) dB of \(whole) dB")
    }

    /// Listeners on the network hear reflections among the sixteen directions of the late field: as loud, and from about there.
    @Test func networkListenersHearTheRoom() {
        var scene = NetworkScene(.nearest, listeners: 1, objects: 1, room: Self.plan(SIMD3(7, 5, 3), order: 3))
        scene.harness.set(ObjectParameter.azimuth, 60)
        scene.harness.set(ObjectParameter.distance, 2)
        _ = scene.harness.sounds.send(ObjectSound(object: 0, mono: Self.noise(48_000)))
        _ = scene.render(blocks: 600, turning: 0)
        let (device, network) = scene.render(blocks: 600, turning: 0)
        for ear in 0..<2 {
            func side(_ samples: [Float]) -> Double {
                let own = stride(from: ear, to: samples.count, by: 2).map { samples[$0] }
                return Self.levels(own, part: own.count)[0]
            }
            #expect(abs(side(device) - side(network[0])) < 1, "\(side(device)) dB, \(side(network[0])) dB")
        }
        // The direct sound alone is quieter.
        var free = NetworkScene(.nearest, listeners: 1, objects: 1)
        free.harness.set(ObjectParameter.azimuth, 60)
        free.harness.set(ObjectParameter.distance, 2)
        _ = free.harness.sounds.send(ObjectSound(object: 0, mono: Self.noise(48_000)))
        _ = free.render(blocks: 600, turning: 0)
        let direct = free.render(blocks: 600, turning: 0).network[0]
        #expect(Self.levels(network[0], part: network[0].count)[0] > Self.levels(direct, part: direct.count)[0] + 2)
    }
}
