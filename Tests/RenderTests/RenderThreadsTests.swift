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
import Synchronization
import TestSupport
import Testing

/// Control threads write to every crossing of a renderer while another thread renders. Under ThreadSanitizer (`make
/// test-threads`) any unsynchronised access ends the test.
@Suite(.serialized) struct RenderThreadsTests {
    static let blocks = 600

    /// Runs `work` repeatedly on a new thread until `done` is set.
    static func start(_ group: DispatchGroup, until done: Flag, _ work: @escaping @Sendable () -> Void) {
        group.enter()
        Thread {
            while !done.isSet {
                work()
                stimulus(milliseconds: 0.1)
            }
            group.leave()
        }.start()
    }

    final class Flag: Sendable {
        private let value = Atomic(false)
        var isSet: Bool { value.load(ordering: .acquiring) }
        func set() { value.store(true, ordering: .releasing) }
    }

    /// A value used by one control thread only.
    // SAFETY: each is captured by the closure of one thread.
    final class Owned<Value: ~Copyable>: @unchecked Sendable {
        var value: Value
        init(_ value: consuming Value) { self.value = value }
    }

    @Test func withWritersOnOtherThreads() {
        var seeds = SeededRandom("RenderThreadsTests.withWritersOnOtherThreads")
        let array = MicrophoneArray.uniform(count: 16)
        let tree = ParameterTree(listeners: 2, objects: 3)
        let store = ParameterStore(tree)
        let lines = RenderConnections(store: store, rate: 48_000, period: 64, protection: .always)
        let (done, group) = (Flag(), DispatchGroup())
        store.set(tree.index(TransportParameter.state), 1)

        let parameters = Owned(SeededRandom(seed: seeds.next()))
        Self.start(group, until: done) {
            let listener = parameters.value.whole(0..<2)
            func set<Group: ParameterGroup>(_ parameter: Group, _ value: Float, of instance: Int = 0) {
                store.set(tree.index(parameter, instance), value)
            }
            set(ListenerParameter.method, Float(parameters.value.whole(0..<InterpolationMethod.allCases.count)), of: listener)
            set(ListenerParameter.gain, parameters.value.within(0...1), of: listener)
            set(ListenerParameter.prediction, parameters.value.within(0...20), of: listener)
            set(ArraySetting.crossover, parameters.value.within(0...3000))
            set(TransportParameter.state, Float(parameters.value.whole(0..<3)))
            set(ObjectParameter.azimuth, parameters.value.within(-180...180), of: parameters.value.whole(0..<3))
        }
        let network = Owned(lines.listeners[1].networkPoses.take())
        let counter = Counter()
        let turns = Owned(SeededRandom(seed: seeds.next()))
        Self.start(group, until: done) {
            network.value.publish(HeadPose(quaternion: InnerHalfTests.head(&turns.value), id: counter.next(), receiveTime: 1))
        }
        let control = Owned(lines.listeners[1].controlPoses.take())
        let otherTurns = Owned(SeededRandom(seed: seeds.next()))
        Self.start(group, until: done) {
            control.value.publish(HeadPose(quaternion: InnerHalfTests.head(&otherTurns.value), id: counter.next(), receiveTime: 1))
        }
        let hrtf = Owned(lines.listeners[0].hrtf.take())
        let bank = FilterBank.made(for: array)
        Self.start(group, until: done) {
            _ = hrtf.value.send(HRTFSet(bank))
            stimulus(milliseconds: 2)
        }
        let meters = Owned(lines.listeners[0].meters.take())
        let ears = Owned(lines.listeners[0].ears.take())
        let isHeard = Owned(lines.listeners[0].isHeard.take())
        let heard = Owned([Float](repeating: 0, count: 2 * 1024))
        let switches = Owned(SeededRandom(seed: seeds.next()))
        Self.start(group, until: done) {
            while meters.value.pop() != nil {}
            isHeard.value.set(switches.value.whole(0..<8) > 0)
            _ = ears.value.read(&heard.value, frames: 1024)
        }

        // The test's thread sends feeds, arrays and sounds; another one renders.
        let graph = Owned(lines.graph.take())
        let rendered = Flag()
        let peak = Owned(Float(0))
        Thread {
            let memory = UnsafeMutablePointer<Float>.allocate(capacity: 128)
            memory.initialize(repeating: 0, count: 128)
            // On a busy machine, blocks may be over before the first feed has come.
            var block = 0
            let end = ContinuousClock.now + .seconds(60)
            while block < Self.blocks || peak.value <= 0.01 && ContinuousClock.now < end {
                graph.value.render(
                    left: memory, right: memory + 64, frames: 64,
                    at: BlockTime(begin: UInt64(block + 1) * 1_333_333, output: UInt64(block + 4) * 1_333_333))
                for i in 0..<128 { peak.value = max(peak.value, abs(memory[i])) }
                block += 1
                if block > Self.blocks { stimulus(milliseconds: 0.1) }
            }
            memory.deallocate()
            rendered.set()
        }.start()
        var number: Int64 = 1
        var feeds = lines.feeds.take()
        var arrays = lines.arrays.take()
        var sounds = lines.objects.take()
        var rooms = lines.rooms.take()
        let plans = RoomPlan.made(rate: 48_000)
        while !rendered.isSet {
            number += 1
            let ring = FrameRing(channels: array.count, capacity: 1 << 14)
            var producer = ring.producer
            let frames = seeds.whole(500..<4000)
            let shift = Int(number)
            let samples = (0..<frames * array.count).map { (i: Int) -> Float in Float((i + shift) % 50) / 100 }
            _ = feeds.send(SceneFeed(frames: ring.consumer, array: array, number: number))
            for start in stride(from: 0, to: frames, by: 500) {
                let part = min(500, frames - start)
                samples.withUnsafeBufferPointer {
                    _ = producer.write($0.baseAddress! + start * array.count, frames: part)
                }
                stimulus(milliseconds: 0.2)
            }
            if seeds.whole(0..<2) == 0 { producer.end() }
            let edit = MicrophoneArray.uniform(count: array.count, first: seeds.within(0...20))
            _ = arrays.send(ArrayEdit(RingLookup(edit), version: number))
            _ = rooms.send(RoomScene(number % 3 == 0 ? nil : plans[Int(number % 2)], objects: 3, rate: 48_000, period: 64))
            _ = sounds.send(
                ObjectSound(object: seeds.whole(0..<3), mono: Self.tone(seeds.whole(100..<2000))))
        }
        done.set()
        #expect(group.wait(timeout: .now() + 60) == .success, "a writing thread does not end")
        #expect(peak.value > 0.01 && peak.value <= 1)
    }

    @Test func withWorkersForTheNetwork() {
        var seeds = SeededRandom("RenderThreadsTests.withWorkersForTheNetwork")
        let (wired, network) = (1, 3)
        let tree = ParameterTree(listeners: wired, network: network, objects: 2)
        let store = ParameterStore(tree)
        let lines = RenderConnections(store: store, wired: wired, workers: 2, rate: 48_000, period: 64, protection: .always)
        let (done, group) = (Flag(), DispatchGroup())
        store.set(tree.index(TransportParameter.state), 1)
        let array = MicrophoneArray.uniform(count: 8)
        let rendered = lines.network.workers.map { Owned($0.renderer.take()) }
        for worker in rendered { Self.start(group, until: done) { worker.value.render(hop: 2) } }
        let heard = Counter()
        for (number, worker) in lines.network.workers.enumerated() {
            let turns = Owned(SeededRandom(seed: seeds.next()))
            let listeners = Owned(worker.listeners.take())
            let made = (wired..<wired + network).filter { lines.network.worker(of: $0) == number }.map {
                (index: $0, line: lines.network.make($0, &listeners.value))
            }
            let edits = Owned(worker.arrays.take())
            _ = edits.value.send(ArrayEdit(RingLookup(array), version: 0))
            worker.isNeeded.take().set(true)
            let ears = made.map { Owned($0.line.ears.take()) }
            let poses = made.map { Owned($0.line.networkPoses.take()) }
            let memory = Owned([Float](repeating: 0, count: 2 * 4096))
            for each in made { each.line.isHeard.take().set(true) }
            Self.start(group, until: done) {
                for each in made { lines.present.makeSwitch(each.index).control.set(turns.value.whole(0..<8) > 0) }
                for pose in poses {
                    pose.value.publish(HeadPose(quaternion: InnerHalfTests.head(&turns.value), id: rt_now(), receiveTime: 1))
                }
                for each in ears where each.value.read(&memory.value, frames: 4096) > 0 { _ = heard.next() }
                listeners.value.collect()
            }
        }
        var feeds = lines.feeds.take()
        let ring = FrameRing(channels: array.count, capacity: 1 << 17)
        var producer = ring.producer
        let samples = (0..<array.count << 16).map { (i: Int) -> Float in Float(i % 50) / 100 }
        samples.withUnsafeBufferPointer { _ = producer.write($0.baseAddress!, frames: 1 << 16) }
        _ = feeds.send(SceneFeed(frames: ring.consumer, array: array, number: 1))
        var graph = lines.graph.take()
        var memory = [Float](repeating: 0, count: 128)
        var block = 0
        waitUntil("the workers have rendered, and the listeners were heard", every: 0.3) {
            memory.withUnsafeMutableBufferPointer {
                graph.render(
                    left: $0.baseAddress!, right: $0.baseAddress! + 64, frames: 64,
                    at: BlockTime(begin: UInt64(block + 1) * 1_333_333, output: UInt64(block + 4) * 1_333_333))
            }
            block += 1
            return block >= Self.blocks && heard.count > 10 && lines.network.workers.allSatisfy { $0.blocks > 50 }
        }
        done.set()
        #expect(group.wait(timeout: .now() + 60) == .success, "a writing thread does not end")
    }

    static func tone(_ frames: Int) -> [Float] { (0..<frames).map { (i: Int) -> Float in Float(i % 40) / 200 } }

    /// Pose ids that increase across several threads.
    final class Counter: Sendable {
        private let value = Atomic<UInt64>(1)
        var count: UInt64 { value.load(ordering: .relaxed) }
        func next() -> UInt64 { value.wrappingAdd(1, ordering: .relaxed).newValue }
    }
}
