import Glibc

/// Feeds one target with inputs of libFuzzer. The environment variable FUZZ_TARGET selects the target.
@main
enum Fuzz {
    // SAFETY: libFuzzer calls from one thread.
    nonisolated(unsafe) private static var target: any FuzzTarget = {
        switch getenv("FUZZ_TARGET").map({ String(cString: $0) }) {
        case "osc": OSCFuzz()
        case "json": JSONFuzz()
        case "http": HTTPFuzz()
        case "session": SessionFuzz()
        case "trackers": TrackerFuzz()
        case "engine": EngineFuzz()
        case "midi": MIDIFuzz()
        case "streams": StreamFuzz()
        case "cameras": CameraFuzz()
        default: fatalError("FUZZ_TARGET must be osc, json, http, session, trackers, engine, midi, streams or cameras")
        }
    }()

    static func main() {
        _ = target
        var count = CommandLine.argc
        var arguments = CommandLine.unsafeArgv
        _ = runFuzzer(&count, &arguments) { bytes, count in
            Fuzz.target.run(UnsafeRawBufferPointer(start: bytes, count: count))
            return 0
        }
    }
}

/// libFuzzer's main function under its other name: the package manager adds a main function to every program.
@_silgen_name("LLVMFuzzerRunDriver")
private func runFuzzer(
    _ count: UnsafeMutablePointer<Int32>, _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
    _ body: @convention(c) (UnsafePointer<UInt8>?, Int) -> Int32
) -> Int32
