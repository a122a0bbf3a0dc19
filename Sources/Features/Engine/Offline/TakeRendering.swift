package import Device
import FileOutput
import Foundation
import Hub
import Media
import Parameters
import Render
import RenderInterface
import Synchronization

/// Renders the sound at the ears again from a take: from its microphones, its live input, its session and its motion.
package struct TakeRendering {
    package let record: TakeRecord
    private let folder: String

    /// Whether a path is that of a take.
    package static func isTake(_ path: String) -> Bool { FilePlace.isThere(path + "/" + TakeRecord.fileName) }

    /// - Throws: `RequestError` for a folder that is not a take, or one whose sound was not recorded.
    package init(_ folder: String) throws {
        self.folder = URL(filePath: folder).standardizedFileURL.path
        record = try TakeRecord.read(folder)
        guard file("array") != nil || file("input") != nil || record.objects > 0 else {
            throw RequestError(
                "\(folder) cannot be rendered again: its microphones were not recorded; set /take/source/array before a take")
        }
    }

    private func file(_ source: String) -> String? { record.files.first { $0.source == source }.map { folder + "/" + $0.file } }

    /// Frames per second.
    package var rate: Int { record.rate }

    /// Frames that are rendered.
    package var frames: Int64 {
        get throws {
            if let frames = record.frames { return frames }
            return try record.files.map { Int64(try SoundFacts(path: folder + "/" + $0.file).frames) }.min() ?? 0
        }
    }

    /// Renders the take, faster than real time.
    ///
    /// - Parameters:
    ///   - listener: number of the listener, from 1.
    ///   - sink: receives the ears.
    ///   - report: called with warnings.
    package func render(listener: Int, to sink: any FrameSink, report: @escaping @Sendable (String) -> Void) throws {
        guard listener >= 1, listener <= record.listeners else {
            guard !record.files.contains(where: { $0.listener == listener }) else {
                throw RequestError(
                    "listener \(listener) of the take was on the network: only the listeners of the sound device, 1 to "
                        + "\(record.listeners), are rendered again; its recorded ears are in \(TakeRequest.stem(.ears(listener - 1)))")
            }
            throw RequestError("the take has no listener \(listener); its listeners are 1 to \(record.listeners)")
        }
        let player = TakePlayer(folder: folder, sink: sink)
        let format = try DeviceFormat(rate: record.rate, period: record.period)
        let device = TakeDevice(format, frames: try frames) { player.prepare($0) }
        let engine = try engine(device, report)
        defer { engine.stop() }
        engine.hub.onLog = { text, _ in report(text) }
        engine.connect()
        // The session of a FLAC take that was interrupted names the file that was to be made at its end.
        try engine.sessions.files.load(path: folder + "/session.json", recording: file("array"), isTrusted: true)
        if file("array") == nil, engine.recording.playback.player != nil {
            throw RequestError(
                "\(folder) cannot be rendered again: its microphones were not recorded; set /take/source/array before a take")
        }
        settle(engine)
        try player.connect(engine.lines, engine.store, listener: listener - 1)
        try run(engine)
        // Waits for the player's last report.
        engine.recording.playback.player?.stop()
        try player.finish()
    }

    private func engine(_ device: TakeDevice, _ report: @escaping @Sendable (String) -> Void) throws -> Engine {
        let nowhere = FileManager.default.temporaryDirectory.path
        let files = ClientFiles(own: [.takes: nowhere], allowed: [folder])
        record.sounds?.values.forEach { files.grant($0) }
        var options = EngineOptions(
            deviceName: "take", protection: record.isProtected ? .always : .none, cues: try CueLibrary(folder: nil, rate: record.rate),
            files: files, matches: { _, _ in false })
        options.sounds = SoundLibrary(folder: SoundLibrary.standardFolder, named: record.sounds ?? [:])
        options.listeners = record.listeners
        options.awaitsRecording = file("array") != nil
        options.objects = record.objects
        options.input = file("input").map { .file($0) }
        return try Engine(options, device: device, report: report)
    }

    /// Turns off everything that moved heads in the take or would keep sound in memory.
    private func settle(_ engine: Engine) {
        func set(_ address: String, _ value: Argument) {
            engine.hub.handle(Message(address: address, arguments: [value], receiveTime: 0))
        }
        for listener in 0..<record.listeners {
            set(ListenerParameter.autoPrediction.address(listener), .bool(false))
            set(ListenerParameter.prediction.address(listener), .float(0))
        }
        set(TakeSourceParameter.ears.address(), .string(""))
        set(TakeSourceParameter.array.address(), .bool(false))
        set(TakeSourceParameter.input.address(), .int(0))
        set(TransportParameter.loop.address(), .bool(false))
        engine.recording.transport.state = TransportParameter.playing
    }

    private func run(_ engine: Engine) throws {
        let end = Mutex<(isOver: Bool, failure: DeviceError?)>((false, nil))
        _ = try engine.start { failure in end.withLock { $0 = (true, failure) } }
        while !end.withLock({ $0.isOver }) {
            engine.recording.playback.player?.nudge()
            engine.tick()
            usleep(2000)
        }
        if let failure = end.withLock({ $0.failure }) { throw failure }
    }
}

/// A file device that renders only the blocks of a take, with an action before each block.
final class TakeDevice: AudioDevice {
    var format: DeviceFormat { file.format }
    private let file: FileDevice
    private let beforeBlock: @Sendable (Int64) -> Void

    /// - Parameters:
    ///   - frames: of the take.
    ///   - beforeBlock: called on the device's thread before each block, with its first frame.
    init(_ format: DeviceFormat, frames: Int64, beforeBlock: @escaping @Sendable (Int64) -> Void) {
        file = FileDevice(format, frames: frames, awaitsRelease: true) { Nothing() }
        self.beforeBlock = beforeBlock
    }

    func release() { file.release() }

    func start<Renderer: BlockRenderer & ~Copyable>(
        in holder: RendererHolder<Renderer>, onEnd: @escaping @Sendable (DeviceError?) -> Void
    ) throws(DeviceError) -> DeviceRun<Renderer> {
        try file.start(in: holder, beforeBlock: beforeBlock, onEnd: onEnd)
    }

    /// Discards the device's sound, since the ears are taken from the renderer elsewhere.
    private final class Nothing: FrameSink {
        func write(_ interleaved: UnsafePointer<Float>, frames: Int) {}
        func finish() {}
    }
}
