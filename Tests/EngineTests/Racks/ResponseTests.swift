import Crossing
import Dispatch
import Effects
import Engine
import Foundation
import Hub
import Media
import Parameters
import Rack
import RenderInterface
import Synchronization
import TestSupport
import Testing

/// Impulse responses loaded while a rack plays: output during loading, and the slot's other parameters.
@Suite final class ResponseTests {
    /// Files that are read only after they are released.
    final class Held: Sendable {
        private let held = Mutex<Set<String>>([])
        private let change = DispatchSemaphore(value: 0)

        func hold(_ path: String) { held.withLock { _ = $0.insert(path) } }

        func letGo(_ path: String) {
            held.withLock { _ = $0.remove(path) }
            change.signal()
        }

        func pass(_ path: String) { while held.withLock({ $0.contains(path) }) { change.wait() } }
    }

    let hub: Hub
    let editor: RackEditor
    let loader: ResponseLoader
    let held = Held()
    var rack: LiveRack
    let folder = TemporaryFolder()

    init() throws {
        let tree = ParameterTree(listeners: 1, methods: ["nearest"], effects: EffectRegistry.standard.names, presets: [])
        hub = Hub(store: ParameterStore(tree)) { _, _ in false }
        let handover = Handover<RackPlan>()
        loader = ResponseLoader(name: "responses") { [held] request, progress throws(MediaError) in
            held.pass(request.path)
            return try request.fill(progress)
        }
        editor = RackEditor(
            .recording, hub: hub, rate: 48_000, period: 64, plans: [Parcel(handover.control)],
            presets: PresetFolder(folder: nil), loader: loader,
            files: MessageFiles(clients: ClientFiles(data: folder.path, allowed: [folder.path])))
        rack = LiveRack(plans: handover.realtime, rate: 48_000, largestBlock: 64)
        editor.connect()
        editor.isRunning = true
    }

    deinit { loader.stop() }

    /// Writes a response that consists of a single echo after a number of frames.
    func write(_ name: String, echo: Int, level: Float = 1, rate: Int = 48_000) throws -> String {
        let path = folder.path(name)
        let writer = try SoundWriter(path: path, channels: 1, rate: rate)
        var samples = [Float](repeating: 0, count: 4000)
        samples[echo] = level
        try writer.write(&samples, frames: 4000)
        try writer.finish()
        return path
    }

    @discardableResult
    func send(_ address: String, _ arguments: Argument...) -> Reply {
        hub.handle(Message(address: "/rack/recording" + address, arguments: arguments, receiveTime: 0))
    }

    func text(_ address: String) -> String? { hub.tree.index(at: "/rack/recording" + address).flatMap { hub.value($0).text } }

    /// Ticks like the program, thirty times a second, until the slot's file has been read.
    func settle(_ slot: Int = 1) {
        waitUntil("the file of slot \(slot) has been read") {
            loader.take().forEach(editor.take)
            editor.publish()
            return text("/slot/\(slot)/state")?.hasPrefix("loading") != true
        }
    }

    /// Delays at which an impulse is output, after all fades.
    func echoes() -> [Int] {
        var heard: [Float] = []
        let (left, right) = (UnsafeMutablePointer<Float>.allocate(capacity: 128), UnsafeMutablePointer<Float>.allocate(capacity: 128))
        defer {
            left.deallocate()
            right.deallocate()
        }
        for block in 0..<500 {
            for i in 0..<128 { (left[i], right[i]) = (0, 0) }
            if block == 400 { (left[0], right[0]) = (1, 1) }
            rack.process(left, right, frames: 64, tempo: 120)
            if block >= 400 { heard += (0..<64).map { left[$0] } }
        }
        return heard.indices.filter { abs(heard[$0]) > 0.1 }
    }

    func begin() throws -> String {
        let first = try write("first.wav", echo: 100)
        send("/add", .string("convolution"))
        send("/slot/1/mix", .float(1))
        #expect(text("/slot/1/state") == "")
        #expect(send("/slot/1/convolution/response", .string(first)) == .done)
        settle()
        #expect(text("/slot/1/state") == "ready: first.wav" && echoes() == [100])
        return first
    }

    @Test func theOldSoundGoesOnUntilTheNewOneIsThere() throws {
        _ = try begin()
        let second = try write("second.wav", echo: 300, rate: 44_100)
        held.hold(second)
        #expect(send("/slot/1/convolution/response", .string(second)) == .done)
        #expect(text("/slot/1/state") == "loading: second.wav" && text("/slot/1/convolution/response") == second)
        loader.take().forEach(editor.take)
        #expect(echoes() == [100] && text("/slot/1/state") == "loading: second.wav")
        // All other parameters can be set meanwhile and take effect.
        #expect(send("/slot/1/convolution/gain", .float(0)) == .done && send("/add", .string("gate")) == .done)
        held.letGo(second)
        settle()
        #expect(text("/slot/1/state") == "ready: second.wav")
        #expect(hub.tree.index(at: "/rack/recording/slot/1/progress").map(hub.value) == .number(1))
        // 300 frames at 44.1 kHz are 326.5 at 48 kHz.
        let heard = echoes()
        #expect(heard.contains(326) && heard.contains(327) && !heard.contains(100))
    }

    @Test func theNewestRequestWins() throws {
        _ = try begin()
        let (slow, quick) = (try write("slow.wav", echo: 500), try write("quick.wav", echo: 700))
        held.hold(slow)
        send("/slot/1/convolution/response", .string(slow))
        send("/slot/1/convolution/response", .string(quick))
        #expect(text("/slot/1/state") == "loading: quick.wav")
        held.letGo(slow)
        settle()
        #expect(text("/slot/1/state") == "ready: quick.wav" && echoes() == [700])
        #expect(editor.description.slots[0].texts["response"] == quick)
    }

    @Test func anUnusableResponseKeepsThePreviousOne() throws {
        let first = try begin()
        let silent = try write("silent.wav", echo: 0, level: 0)
        held.hold(silent)
        #expect(send("/slot/1/convolution/response", .string(silent)) == .done)
        send("/slot/1/mix", .float(0.5))
        held.letGo(silent)
        settle()
        #expect(text("/slot/1/state")?.hasPrefix("failed: ") == true && text("/slot/1/state")?.contains("silent.wav is silent") == true)
        #expect(text("/slot/1/convolution/response") == first && editor.description.slots[0].texts["response"] == first)
        // Values set meanwhile are kept.
        #expect(editor.description.slots[0].mix == 0.5 && echoes() == [0, 100])
        // An error found at once is refused at once; a valid file afterwards is accepted.
        guard case .refused(let reason) = send("/slot/1/convolution/response", .string("/nowhere.wav")) else {
            Issue.record("not refused")
            return
        }
        #expect(reason.contains("/nowhere.wav") && text("/slot/1/state")?.contains("/nowhere.wav") == true)
        #expect(text("/slot/1/convolution/response") == first)
        send("/slot/1/convolution/response", .string(try write("good.wav", echo: 900)))
        settle()
        #expect(text("/slot/1/state") == "ready: good.wav" && echoes() == [0, 900])
    }

    @Test func aSlotIsRemovedWhileItsFileIsRead() throws {
        _ = try begin()
        let slow = try write("slow.wav", echo: 500)
        held.hold(slow)
        send("/slot/1/convolution/response", .string(slow))
        #expect(send("/remove", .int(1)) == .done)
        held.letGo(slow)
        settle()
        #expect(echoes() == [0] && text("/layout") == "" && text("/slot/1/state") == nil)
        // A new slot that reuses the number is not affected.
        send("/add", .string("convolution"))
        settle()
        #expect(text("/slot/1/state") == "")
    }

    @Test func aRackWaitsForItsFiles() throws {
        let first = try begin()
        let (slow, silent) = (try write("slow.wav", echo: 500), try write("silent.wav", echo: 0, level: 0))
        func load(_ path: String) throws {
            let file = folder.url.appending(path: "rack.json")
            try Data(
                """
                {"version": 1, "slots": [{"effect": "gate", "bypass": true},
                 {"effect": "convolution", "mix": 1, "parameters": {"response": "\(path)"}}]}
                """.utf8
            ).write(to: file)
            held.hold(path)
            #expect(send("/load", .string(file.path)) == .done)
            #expect(text("/layout") == "1 2" && text("/title") == "rack" && text("/slot/2/state")?.hasPrefix("loading") == true)
            #expect(echoes() == [100], "the previous output")
            held.letGo(path)
            settle(2)
        }
        try load(silent)
        #expect(text("/layout") == "1" && text("/title") == "" && echoes() == [100])
        #expect(text("/slot/1/convolution/response") == first)
        try load(slow)
        #expect(text("/layout") == "1 2" && echoes() == [500])
        guard case .refused = send("/load", .string("/nowhere.json")) else {
            Issue.record("not refused")
            return
        }
        #expect(text("/layout") == "1 2" && echoes() == [500])
    }
}
