import CRealtime
import Device
import Engine
import Foundation
import Hub
import Media
import Parameters
import Render
import Session
import TestSupport
import Testing

/// A running engine in a temporary folder, with a client that sends messages and measures the output.
///
/// Time advances only by pulled blocks and by ``clock``, which is ahead of every message and tick.
final class EngineHarness {
    let engine: Engine
    let device: PulledDevice
    let client: Subscriber
    /// CLOCK_MONOTONIC nanoseconds of the last message.
    private(set) var clock = rt_now()
    /// Notices since the start of the engine.
    private(set) var notices: [String] = []
    private var isStopped = false

    /// Nanoseconds after which waiting for a condition fails. Background work has the lowest priority on a busy
    /// machine.
    private static let timeout: UInt64 = 60_000_000_000

    /// - Parameter channels: of the device.
    init(
        _ folder: TestFolder, objects: Int = 0, input: LiveInputSource? = nil, channels: Int = 2,
        change: (inout EngineOptions) -> Void = { _ in }
    ) throws {
        device = try PulledDevice(channels: channels)
        var options = EngineOptions(
            deviceName: "pulled", protection: .none, cues: try CueLibrary(folder: nil, rate: device.format.rate),
            files: ClientFiles(
                data: folder.path("data"), own: [.sessions: folder.path("sessions"), .sounds: folder.path("sounds")],
                allowed: [folder.path("")]),
            matches: { pattern, address in
                pattern == "/listener/*/gain" && address.hasPrefix("/listener/") && address.hasSuffix("/gain")
            })
        options.objects = objects
        options.input = input
        options.sessions = SessionFolder(folder: folder.path("sessions"))
        options.sounds = SoundLibrary(folder: folder.path("sounds"))
        options.presets = PresetFolder(folder: TestFolder.presets)
        change(&options)
        engine = try Engine(options, device: device) { Issue.record("\($0)") }
        client = engine.hub.subscribe {}
        engine.hub.onLog = { [weak self] text, _ in self?.notices.append(text) }
        engine.connect()
        send("/listener/1/method", .string("nearest"))
        engine.sessions.files.begin()
    }

    deinit { stop() }

    /// Starts the device.
    func start() throws { _ = try engine.start { _ in } }

    /// Starts the device and plays the recording of a tone until it is heard.
    func start(playing folder: TestFolder) throws {
        try start()
        send("/session/recording", .string(try folder.recording()))
        send("/transport/play")
        until("the tone is heard") { abs(level().left - PlaybackTests.tone) < 0.1 }
    }

    /// Stops the engine without ending its session, like a crash.
    func stop() {
        guard !isStopped else { return }
        isStopped = true
        engine.stop()
    }

    // MARK: Client

    /// Sends a message, by default a second after the previous one, so that each is a separate step of the undo
    /// history.
    @discardableResult
    func send(_ address: String, _ arguments: Argument..., after seconds: Double = 1) -> Reply {
        clock += UInt64(seconds * 1e9)
        var late: Reply?
        client.onReply = { late = $0 }
        let reply = engine.hub.handle(Message(address: address, arguments: arguments, receiveTime: clock), from: client)
        // Messages that name files wait for them.
        if engine.hub.isWaiting {
            waitUntil("\(address) is answered") {
                engine.hub.settle(now: clock)
                return !engine.hub.isWaiting
            }
        }
        return late ?? reply
    }

    func value(_ address: String) -> ParameterValue? { engine.tree(at: address).map(engine.hub.value) }

    func number(_ address: String) -> Float { value(address)?.numbers.first ?? .nan }

    func text(_ address: String) -> String { value(address)?.text ?? "" }

    // MARK: Blocks

    /// Pulls blocks, with a tick of the engine after every tenth.
    func pull(_ blocks: Int) {
        for block in 0..<blocks {
            engine.recording.playback.player?.nudge()
            device.waitsForRecording = engine.recording.playback.player != nil
            device.pull()
            if block % 10 == 9 { tick() }
        }
    }

    func tick(after seconds: Double = 0.033) {
        clock += UInt64(seconds * 1e9)
        engine.tick(now: clock)
    }

    /// Pulls blocks until a condition holds.
    func until(_ what: Comment, _ condition: () -> Bool, sourceLocation: SourceLocation = #_sourceLocation) {
        let end = rt_now() + Self.timeout
        while rt_now() < end {
            if condition() { return }
            pull(10)
        }
        Issue.record("given up: \(what); notices: \(notices)", sourceLocation: sourceLocation)
    }

    /// Level of both ears over a number of blocks, dB.
    func level(blocks: Int = 60) -> (left: Float, right: Float) {
        var (left, right): (Float, Float) = (0, 0)
        for _ in 0..<blocks {
            pull(1)
            left += device.left.reduce(0) { $0 + $1 * $1 }
            right += device.right.reduce(0) { $0 + $1 * $1 }
        }
        let frames = Float(blocks * device.format.period)
        return (10 * log10f(left / frames + 1e-12), 10 * log10f(right / frames + 1e-12))
    }

    /// Level of the left ear after earlier changes have settled, dB.
    func settledLevel() -> Float {
        pull(200)
        return level().left
    }
}

extension Engine {
    func tree(at address: String) -> Int? { hub.tree.index(at: address) }
}
