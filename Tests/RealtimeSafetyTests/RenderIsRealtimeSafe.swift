import Binaural
import CRealtime
import Crossing
import DSP
import Foundation
import Parameters
import Pose
import Render
import RenderCore
import RenderInterface
import TestSupport
import Testing

/// Under RealtimeSanitizer (`make test-realtime`) any allocation, lock or system call inside a render ends the
/// process. Without it these are plain tests.
@Suite(.serialized) struct RenderIsRealtimeSafe {
    @Test func withEverythingMoving() {
        var harness = RenderHarness(method: .nearest, listeners: 3, objects: 4)
        let control = PoseInlet(
            harness.lines.listeners[1].controlPoses.take(), origin: .control, horizon: harness.lines.listeners[1].predictionHorizon)
        let gate = harness.lines.listeners[0].isHeard.take()
        var ears = harness.lines.listeners[0].ears.take()
        var hrtf = harness.lines.listeners[0].hrtf.take()
        var objectHRTF = harness.lines.listeners[0].objectHRTF.take()
        var music = harness.lines.direct.music.take()
        var takes = MovingTakes(harness.lines.takes)
        // Memory rather than arrays, which check for uniqueness and copy when first written to.
        let memory = UnsafeMutablePointer<Float>.allocate(capacity: 128)
        memory.initialize(repeating: 0, count: 128)
        defer { memory.deallocate() }
        let (left, right) = (memory, memory + 64)
        let methods = InterpolationMethod.allCases.count
        let rooms = RoomPlan.made(rate: 48_000)
        var heard: Float = 0
        for block in 0..<4000 {
            // Between two blocks the control side may allocate and lock.
            if block % 700 == 0 { harness.play(frames: 20_000, number: Int64(block), ends: block % 1400 == 0) { $1 % 50 == 0 ? 1 : 0 } }
            // A recording follows: at the end, in a crossfade of the same microphones or of others; sometimes it is withdrawn.
            if block % 490 == 7 {
                let claim = Claim()
                harness.play(
                    frames: 9000, number: Int64(100_000 + block), channels: block % 980 == 7 ? 16 : 8,
                    joint: FeedJoint(place: block % 3 == 0 ? FeedJoint.atEnd : 0, crossfade: 3000, isSameArray: block % 980 == 7),
                    claim: claim
                ) { Float(($0 + $1) % 11) / 20 }
                if block % 5 == 0 { _ = claim.withdraw() }
            }
            // Jumps to an exact frame, in the feed that plays and in others, in time and too late.
            if block % 330 == 11 {
                let state = harness.engine.view().pointee
                let place = state.feedFrames + (block % 3 == 0 ? -5000 : 100)
                let joint = FeedJoint(exactlyAt: place, of: block % 7 == 0 ? 1 : state.feed)
                harness.play(frames: 6000, number: Int64(200_000 + block), start: 50, joint: joint) { Float(($0 + $1) % 13) / 20 }
            }
            // Music begins, ends, runs short, and changes to another source.
            if block % 410 == 3 {
                let ring = FrameRing(channels: 2, capacity: 1 << 17)
                var producer = ring.producer
                _ = producer.write([Float](repeating: 0.1, count: 2 * 60_000), frames: 60_000)
                if block % 820 == 3 { producer.end() }
                _ = music.send(MusicFeed(ring.consumer))
                harness.set(MusicParameter.run, Float(block / 410 % 3))
                harness.set(MusicParameter.gain, Float(block % 2))
            }
            if block == 2500 { harness.play(frames: 60_000, number: 9999, channels: 8) { _, frame in Float(frame % 7) } }
            if block % 333 == 0 { harness.set(TransportParameter.state, Float(block / 333 % 3)) }
            if block % 91 == 0 { harness.set(ListenerParameter.method, Float(block / 91 % methods)) }
            if block % 57 == 0 { harness.set(ListenerParameter.gain, Float(block % 40) - 30) }
            if block % 149 == 0 {
                let calibration = Calibration(
                    gains: [0.5, 2], inverted: [true], muted: (0..<16).map { $0 == block % 16 }, delays: [0, 3.5, Float(block % 50)])
                let array = MicrophoneArray.uniform(count: 16, first: Float(block % 9), clockwise: block % 2 == 0)
                _ = harness.arrays.send(ArrayEdit(RingLookup(array, calibration: calibration), version: Int64(block)))
            }
            if block % 77 == 0 { _ = hrtf.send(HRTFSet(Self.bank(firstAzimuth: Float(block % 9)))) }
            // Rooms begin, change, overtake each other and end; objects are inside, in walls and outside.
            if block % 71 == 0 || block % 300 == 1 {
                harness.send(block % 213 == 0 ? nil : rooms[block % 2])
                harness.set(RoomParameter.late, Float(block % 3) / 2)
            }
            // Measured filters for objects begin, change and end.
            if block % 61 == 0 {
                let table = block % 4 == 0 ? nil : HRTFTable.made(seed: UInt64(block))
                _ = objectHRTF.send(ObjectHRTF(table, objects: 4, period: 64, rate: 48_000))
            }
            // Objects appear, disappear, jump, exchange sounds, and use a channel of the live input.
            if block % 83 == 0 {
                let object = block / 83 % 4
                let mono = (0..<1000 + block).map { Float($0 % 90) / 300 }
                _ = harness.sounds.send(
                    block % 3 == 0
                        ? ObjectSound(object: object, channel: block % 2 == 0 ? nil : 1) : ObjectSound(object: object, mono: mono))
                harness.set(ObjectParameter.azimuth, Float(block % 360 - 180), of: object)
                harness.set(ObjectParameter.elevation, Float(block % 180 - 90), of: object)
                harness.set(ObjectParameter.distance, Float(block % 30), of: object)
                harness.set(ObjectParameter.mute, Float(block / 7 % 2), of: object)
                harness.set(ObjectParameter.renderer, Float(block / 5 % 2), of: object)
            }
            takes.move(block)
            if block % 5 == 0 { harness.graph.take(left: left, right: right, frames: 64, from: UInt64(block)) }
            if block % 71 == 0 { harness.set(ArraySetting.crossover, Float(block % 3) * 1500) }
            if block % 113 == 0 { harness.set(ListenerParameter.earAzimuth, Float(80 + block % 30)) }
            if block % 37 == 0 { harness.set(ListenerParameter.autoPrediction, Float(block / 37 % 2)) }
            if block % 53 == 0 { harness.set(ListenerParameter.prediction, Float(block % 30)) }
            if block % 400 == 0 { gate.set(block % 800 == 0) }
            harness.inlet.send(
                yaw: Float(block * 3), pitch: Float(block % 180), roll: Float(block % 77), receiveTime: UInt64(block + 1) * 1_333_333)
            if block % 3 == 0 { control.send(yaw: Float(-block), pitch: 0, roll: 90, receiveTime: 2) }
            let time = BlockTime(begin: UInt64(block + 2) * 1_333_333, output: UInt64(block + 9) * 1_333_333)
            realtime_enter()
            harness.graph.render(left: left, right: right, frames: 64, at: time)
            realtime_exit()
            for i in 0..<128 {
                heard = max(heard, memory[i])
                if !memory[i].isFinite { Issue.record("not finite in block \(block)") }
            }
            _ = ears.read(memory, frames: 16)
        }
        #expect(heard > 0 && takes.frames > 10_000 && takes.turns > 100)
        print("checked by RealtimeSanitizer:", realtime_is_checked() != 0)
    }

    /// Objects whose sound another thread writes, in lumps, and which may be heard only at times.
    @Test func withLiveSound() {
        var random = SeededRandom("RenderIsRealtimeSafe.withLiveSound")
        var harness = RenderHarness(method: .nearest, objects: 2)
        let memory = UnsafeMutablePointer<Float>.allocate(capacity: 4096)
        memory.initialize(repeating: 0.1, count: 4096)
        defer { memory.deallocate() }
        var heard: Float = 0
        for source in 0..<20 {
            let ring = FrameRing(channels: 1, capacity: 4096)
            let gate = Switch()
            var frames = ring.producer
            _ = harness.sounds.send(
                ObjectSound(object: source % 2, live: LiveSound(frames: ring.consumer, isOpen: gate.realtime, rate: 48_000)))
            for block in 0..<100 {
                gate.control.set(block % 40 > 5)
                if block % 15 == 0 { _ = frames.write(memory + 128, frames: Int.random(in: 500...1500, using: &random)) }
                harness.set(ObjectParameter.mute, Float(block / 33 % 2), of: source % 2)
                realtime_enter()
                harness.graph.render(left: memory, right: memory + 64, frames: 64, at: BlockTime(begin: 1, output: 1))
                realtime_exit()
                for i in 0..<64 { heard = max(heard, abs(memory[i])) }
            }
        }
        #expect(heard > 0.01 && heard < 1)
    }

    /// Objects at ever other places, with every parameter of theirs, in air that changes.
    @Test(arguments: [InterpolationMethod.nearest, .hrtf])
    func withObjectsInMovingAir(_ method: InterpolationMethod) {
        var random = SeededRandom("RenderIsRealtimeSafe.withObjectsInMovingAir(\(method))")
        var harness = RenderHarness(method: method, listeners: 2, objects: 4)
        if method == .hrtf {
            var ends = harness.lines.listeners[0].objectHRTF.take()
            _ = ends.send(ObjectHRTF(.made(seed: 1), objects: 4, period: 64, rate: 48_000))
        }
        for object in 0..<4 {
            let mono = (0..<48_000).map { _ in 0.2 * Float(random.white()) }
            _ = harness.sounds.send(ObjectSound(object: object, mono: mono))
        }
        let tree = harness.tree
        let moved =
            (0..<4).flatMap { object in ObjectParameter.allCases.map { tree.index($0, object) } }
            + AirParameter.allCases.map { tree.index($0) } + ObjectScale.allCases.map { tree.index($0) }
        let scalars = moved.filter { tree.nodes[$0].spec.isScalar && tree.nodes[$0].spec.access == .readWrite }
        #expect(scalars.count > 4 * 12)
        let memory = UnsafeMutablePointer<Float>.allocate(capacity: 128)
        memory.initialize(repeating: 0, count: 128)
        defer { memory.deallocate() }
        var heard: Float = 0
        for block in 0..<1500 {
            // Between two blocks the control side may allocate and lock.
            if block % 3 == 0 {
                for index in scalars where random.whole(0..<8) == 0 {
                    let spec = tree.nodes[index].spec
                    harness.store.set(index, spec.bounded(random.within(spec.range)))
                }
            }
            harness.inlet.send(yaw: random.within(-180...180), pitch: 0, roll: 0, receiveTime: UInt64(block + 1) * 1_333_333)
            let time = BlockTime(begin: UInt64(block + 2) * 1_333_333, output: UInt64(block + 9) * 1_333_333)
            realtime_enter()
            harness.graph.render(left: memory, right: memory + 64, frames: 64, at: time)
            realtime_exit()
            for i in 0..<128 {
                heard = max(heard, abs(memory[i]))
                if !memory[i].isFinite { Issue.record("not finite in block \(block)") }
            }
        }
        #expect(heard > 0)
    }

    /// The looper with all its commands, quantised and at both speeds.
    @Test func withALooper() {
        let bank = CueBank([("tick", [0.1, 0.1]), ("tock", [0.1, 0.1])])
        var harness = RenderHarness(method: .nearest, bank: bank, longestLoop: 48_000)
        var commands = harness.lines.direct.looper.take()
        let memory = UnsafeMutablePointer<Float>.allocate(capacity: 256)
        memory.initialize(repeating: 0.25, count: 256)
        defer { memory.deallocate() }
        let order: [LooperCommand] = [.record, .record, .overdub, .overdub, .undo, .redo, .play, .play, .record, .undo, .overdub, .clear]
        var heard: Float = 0
        for block in 0..<8000 {
            if block % 97 == 0 { _ = commands.push(order[block / 97 % order.count]) }
            if block % 1000 == 0 { harness.set(LooperParameter.quantise, Float(block / 1000 % 3)) }
            if block % 450 == 0 { harness.set(MetronomeParameter.run, Float(block / 450 % 2)) }
            if block % 310 == 0 { harness.set(LooperParameter.half, Float(block / 310 % 2)) }
            harness.graph.take(left: memory + 128, right: memory + 192, frames: 64, from: UInt64(block + 1))
            realtime_enter()
            harness.graph.render(left: memory, right: memory + 64, frames: 64, at: BlockTime(begin: 0, output: 0))
            realtime_exit()
            for i in 0..<128 { heard = max(heard, abs(memory[i])) }
        }
        #expect(heard > 0.3 && heard.isFinite)
    }

    /// Every method by itself, long enough to settle, with all inputs changing: poses, gains, crossover, ears, objects,
    /// rack plans, HRTF filters, and switches to every other method and back.
    @Test(arguments: InterpolationMethod.allCases)
    func withEveryMethod(_ method: InterpolationMethod) throws {
        var random = SeededRandom("RenderIsRealtimeSafe.withEveryMethod(\(method))")
        var harness = RenderHarness(method: method, listeners: 2, protection: .always, objects: 2)
        let racks = [
            RacksAreRealtimeSafe.Control(harness.lines.listeners[0].recordingRack),
            RacksAreRealtimeSafe.Control(harness.lines.listeners[0].outputRack),
        ]
        var hrtf = harness.lines.listeners[0].hrtf.take()
        harness.play(frames: 100_000, ends: false) { (channel: Int, frame: Int) -> Float in Float((channel * 31 + frame * 17) % 101) / 200 }
        let memory = UnsafeMutablePointer<Float>.allocate(capacity: 128)
        memory.initialize(repeating: 0, count: 128)
        defer { memory.deallocate() }
        var heard: Float = 0
        for block in 0..<600 {
            harness.inlet.send(
                yaw: random.within(-180...180), pitch: random.within(-90...90), roll: random.within(-90...90),
                receiveTime: UInt64(block + 1) * 1_333_333)
            let isAway = block % 60 >= 48
            let other = InterpolationMethod.allCases[block / 60 % InterpolationMethod.allCases.count]
            harness.set(ListenerParameter.method, Float((isAway ? other : method).rawValue))
            harness.set(ListenerParameter.gain, random.within(0...1))
            harness.set(ListenerParameter.earAzimuth, random.within(70...110))
            if block % 50 == 0 { harness.set(ArraySetting.crossover, Float(block % 100) * 30) }
            if block % 70 == 0 { _ = hrtf.send(HRTFSet(Self.bank(firstAzimuth: 0))) }
            if block % 40 == 0 {
                _ = harness.sounds.send(
                    ObjectSound(object: block / 40 % 2, mono: (0..<500 + block).map { (i: Int) -> Float in Float(i % 30) / 100 }))
            }
            harness.set(ObjectParameter.azimuth, random.within(-180...180), of: block % 2)
            if block % 30 == 0 { try racks[block / 30 % 2].edit(block / 30) }
            let time = BlockTime(begin: UInt64(block + 2) * 1_333_333, output: UInt64(block + 9) * 1_333_333)
            realtime_enter()
            harness.graph.render(left: memory, right: memory + 64, frames: 64, at: time)
            realtime_exit()
            for i in 0..<128 {
                heard = max(heard, abs(memory[i]))
                if !memory[i].isFinite { Issue.record("not finite in block \(block)") }
            }
        }
        #expect(heard > 0.01 && heard <= 1)
    }

    /// Filters for an array that the edits above select from time to time.
    static func bank(firstAzimuth: Float) -> FilterBank {
        let layout = HRTFLayout(.uniform(count: 16, first: firstAzimuth))
        let frame = HRTFFrame(rate: 48_000)
        let taps = (0..<32 * frame.taps).map { Float($0 % 7) / 4096 }
        return FilterBank(layout, frame, sets: .init(repeating: taps, count: layout.sets))
    }

    /// Has to fail under the sanitizer; `make test-realtime` runs it alone and expects that.
    @Test(.enabled(if: ProcessInfo.processInfo.environment["CANARY"] != nil))
    func canary() {
        var random = SeededRandom()
        realtime_enter()
        let grown = [Int](repeating: 3, count: random.whole(100..<200))
        realtime_exit()
        print(grown.count)
    }
}
