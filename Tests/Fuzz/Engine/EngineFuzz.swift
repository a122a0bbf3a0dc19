import Foundation

/// Whole states of the engine: recordings, racks, presets, scenes, sessions, objects, responses, HRTFs, a device that fails, clients
/// that are added and removed. Each input drives an engine of its own from its start to its end.
final class EngineFuzz: FuzzTarget {
    private var files: FuzzFiles
    private let control = ControlGuard()

    init() {
        do { files = try FuzzFiles() } catch { fatalError("\(error)") }
    }

    func run(_ bytes: UnsafeRawBufferPointer) {
        play(bytes)
        // The fuzzer keeps memory of its own for every new input; the same one again shows what the engine keeps.
        if control.isTimeForMemory { control.watchMemory(bytes) { play(bytes) } }
    }

    private func play(_ bytes: UnsafeRawBufferPointer) {
        guard let engine = try? FuzzedEngine(files) else { fatalError("there is no engine") }
        var reader = StepReader(bytes)
        while !reader.isAtEnd { control.measure(engine.words) { engine.step(&reader) } }
        engine.check()
        control.measure("stop") { engine.stop() }
        files.check()
        files.clean()
        control.noteInput()
    }
}
